package io.canopygrid.table;

import io.canopygrid.IndexEntry;
import io.canopygrid.IndexView;
import io.canopygrid.Range;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedReadView;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** An index of a table in a transaction. */
final class TableIndexView<A, K, R> implements IndexView<A, K, R> {
  private final OpenTransaction transaction;
  private final TypedReadView<K, R> rows;
  private final TableEntries<A, K, R> entries;
  private final EngineView engine;

  TableIndexView(
      OpenTransaction transaction, TypedReadView<K, R> rows, TableEntries<A, K, R> entries) {
    this.transaction = transaction;
    this.rows = rows;
    this.entries = entries;
    this.engine = transaction.engine().on(entries.storage());
  }

  @Override
  public Stream<IndexEntry<A, K>> scan(Range<A> range) {
    transaction.checkOpen();
    return stream(entries.rangeOf(range));
  }

  private Stream<IndexEntry<A, K>> stream(KeyRange range) {
    EngineScan scan = engine.scan(range, false, Long.MAX_VALUE);
    return StreamSupport.stream(new Entries(scan), false)
        .onClose(() -> {
          if (transaction.isOpen()) {
            scan.close();
          }
        });
  }

  @Override
  public Stream<K> keys(A attribute) {
    return scan(one(attribute)).map(IndexEntry::key);
  }

  @Override
  public Stream<Map.Entry<K, R>> rows(A attribute) {
    return keys(attribute)
        .map(key -> {
          R row = rows.get(key);
          if (row == null) {
            throw new IllegalStateException("an entry has no row: " + key);
          }
          return Map.entry(key, row);
        });
  }

  @Override
  public long count(Range<A> range) {
    transaction.checkOpen();
    return engine.count(entries.rangeOf(range));
  }

  private Range<A> one(A attribute) {
    transaction.notNull("the attribute", attribute);
    return Range.closed(attribute, attribute);
  }

  /** The entries from where a scan stands. */
  private final class Entries extends Spliterators.AbstractSpliterator<IndexEntry<A, K>> {
    private final EngineScan scan;

    Entries(EngineScan scan) {
      super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
      this.scan = scan;
    }

    @Override
    public boolean tryAdvance(Consumer<? super IndexEntry<A, K>> action) {
      transaction.checkOpen();
      if (!scan.advance()) {
        return false;
      }
      action.accept(entries.entry(scan.key(), scan.value()));
      return true;
    }
  }
}
