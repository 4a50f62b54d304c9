package io.canopygrid.spi;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.IndexView;
import io.canopygrid.Range;
import io.canopygrid.TableReadView;
import org.jspecify.annotations.Nullable;

/** A table in a transaction. */
class TypedTableReadView<K, R> implements TableReadView<K, R> {
  /** The key of a table's definitions among what is kept of it. */
  static final String DEFINITIONS = "indexes";

  final OpenTransaction transaction;
  final TypedTable<K, R> table;
  final TypedReadView<K, R> rows;
  private @Nullable TableState state;

  TypedTableReadView(
      OpenTransaction transaction, TypedTable<K, R> table, TypedReadView<K, R> rows) {
    this.transaction = transaction;
    this.table = table;
    this.rows = rows;
  }

  /** What the table has in this transaction, read once. */
  final TableState state() {
    TableState known = state;
    if (known == null) {
      known = stateIn(transaction, table);
      state = known;
    }
    return known;
  }

  /** What a table has in a transaction. */
  static TableState stateIn(OpenTransaction transaction, TypedTable<?, ?> table) {
    EngineView kept = transaction.engine().on(table.kept().opened());
    return TableState.decode(kept.get(table.kept().entries().encodeKey(DEFINITIONS)));
  }

  @Override
  public final @Nullable R get(K key) {
    return rows.get(key);
  }

  @Override
  public final boolean containsKey(K key) {
    return rows.containsKey(key);
  }

  @Override
  public final Cursor<K, R> scan(Range<K> range) {
    return rows.scan(range);
  }

  @Override
  public final long count(Range<K> range) {
    return rows.count(range);
  }

  @Override
  public final <A> IndexView<A, K, R> by(IndexDefinition<R, A> definition) {
    transaction.checkOpen();
    transaction.notNull("the definition", definition);
    TableState.Kept index = state().find(definition.name());
    if (index == null) {
      throw table.unknown(definition.name());
    }
    if (index.state() != IndexState.READY) {
      throw new CanopyException(
          ErrorCode.INDEX_NOT_READY,
          "index '%s' of table '%s' is %s".formatted(index.name(), table.name(), index.state()),
          CommitState.NOT_COMMITTED,
          transaction.id(),
          null);
    }
    return new TableIndexView<>(this, table.entriesOf(index, definition));
  }
}
