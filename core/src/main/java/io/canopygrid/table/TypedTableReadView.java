package io.canopygrid.table;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.IndexView;
import io.canopygrid.Range;
import io.canopygrid.TableReadView;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table in a transaction. */
class TypedTableReadView<K, R> implements TableReadView<K, R> {
  final OpenTransaction transaction;
  final TableSchema<K, R> schema;
  final TypedReadView<K, R> rows;
  private @Nullable TableState state;

  TypedTableReadView(OpenTransaction transaction, TableSchema<K, R> schema) {
    this.transaction = transaction;
    this.schema = schema;
    this.rows = new TypedReadView<>(transaction, schema.rows());
  }

  /** The table's indexes in this transaction, read once. */
  final TableState state() {
    TableState known = state;
    if (known == null) {
      known = schema.stateIn(transaction);
      state = known;
    }
    return known;
  }

  /** Keys and values of one of the table's indexes, from a key on. */
  final List<byte[][]> some(OpenIndex index, byte[] from, int most) {
    List<byte[][]> some = new ArrayList<>(most);
    EngineScan scan = transaction.engine().on(index).scan(KeyRange.of(from, null), false, most);
    while (scan.advance()) {
      some.add(new byte[][] {scan.key(), scan.value()});
    }
    return some;
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
      throw schema.unknown(definition.name());
    }
    if (index.state() != IndexState.READY) {
      throw new CanopyException(
          ErrorCode.INDEX_NOT_READY,
          String.format(
              Locale.ROOT,
              "index '%s' of table '%s' is %s",
              index.name(),
              schema.name(),
              index.state()),
          CommitState.NOT_COMMITTED,
          transaction.id(),
          null);
    }
    return new TableIndexView<>(transaction, rows, schema.entriesOf(index, definition));
  }
}
