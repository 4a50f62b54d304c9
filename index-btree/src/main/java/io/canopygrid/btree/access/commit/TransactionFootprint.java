package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.access.scan.IndexFootprint;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.names.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The reads and staged writes of one transaction, index by index, and the load that it has staged,
 * if any. Confined to the transaction's thread.
 *
 * @param <I> an index in this transaction
 */
final class TransactionFootprint<I extends IndexFootprint> {
  private final SharedParts shared;

  /** The indexes in use, in an unchangeable list, of which most transactions have one. */
  private List<I> indexes = List.of();

  private @Nullable BulkLoad load;

  TransactionFootprint(SharedParts shared) {
    this.shared = shared;
  }

  /** The indexes that the transaction has used. */
  List<I> indexes() {
    return indexes;
  }

  /** Takes up an index that the transaction has not used before. */
  void add(I index) {
    if (indexes.isEmpty()) {
      indexes = List.of(index);
    } else {
      List<I> more = new ArrayList<>(indexes);
      more.add(index);
      indexes = List.copyOf(more);
    }
  }

  /**
   * Loads a part of an index, where nothing else is done in this transaction.
   *
   * @return how many subtrees that makes; 0: none, and nothing was done
   */
  int load(IndexFootprint index, SortedPart part) throws TimeoutException {
    Invariant.holds(load == null && !hasStaged(), "a load is a transaction of its own");
    load = BulkLoad.plan(shared, index.context(), index.snapshot(), index.index(), part);
    return load == null ? 0 : load.births();
  }

  /** Whether it has staged a load. */
  boolean hasLoad() {
    return load != null;
  }

  /** Whether it has staged anything. */
  boolean hasWrites() {
    return load != null || hasStaged();
  }

  private boolean hasStaged() {
    for (IndexFootprint index : indexes) {
      if (!index.writes().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds what the commit has to validate and to write, each where it was read or is routed to. The
   * schemas come last: where a subtree does not have the rows any more, that is said first.
   */
  void addTo(long deadlineNanos, List<KeyRead> reads, List<RangeRead> ranges, List<Write> writes)
      throws TimeoutException {
    List<KeyRead> schemas = new ArrayList<>(1);
    for (IndexFootprint index : indexes) {
      index.addReads(reads, ranges);
      index.addWrites(shared.router(), deadlineNanos, writes, schemas);
    }
    reads.addAll(schemas);
    if (load != null) {
      load.addTo(reads, ranges, writes);
    }
  }

  /** The one of the transaction's indexes that has a number; another one where none has. */
  IndexRef numbered(int number, IndexRef otherwise) {
    for (IndexFootprint index : indexes) {
      if (index.index().number() == number) {
        return index.index();
      }
    }
    return otherwise;
  }

  /** Whether it has used the definitions of the table that an index has secondary entries of. */
  boolean usesTableOf(IndexRef entries) {
    String definitions = TableNames.definitionsBeside(entries.name());
    return indexes.stream().anyMatch(index -> index.index().name().equals(definitions));
  }

  /** The index of an entry's key that was read by itself; null: none. */
  @Nullable IndexRef readerOf(CompositeKey key) {
    byte[] userKey = EntryKeys.userKey(key);
    IndexRef found = null;
    for (IndexFootprint index : indexes) {
      Snapshot.PointRead read = index.reads().get(userKey);
      // A key that has moved since may be that of another index, too.
      if (read != null && (found == null || read.key().equals(key))) {
        found = index.index();
      }
    }
    return found;
  }

  /** The one of the transaction's indexes that a key belongs to, as far as known without a read. */
  IndexRef indexOf(CompositeKey key) {
    IndexFootprint found = indexes.get(0);
    if (EntryKeys.isSchema(key)) {
      int number = EntryKeys.schemaOf(key);
      for (IndexFootprint index : indexes) {
        found = index.isOfRowsUnder(number) ? index : found;
      }
      return found.index();
    }
    byte[] userKey = key.isHeader() ? new byte[0] : EntryKeys.userKey(key);
    for (IndexFootprint index : indexes) {
      if (index.reads().hasScanned(key.kcl())) {
        return index.index();
      }
      if (index.touches(userKey)) {
        found = index;
      }
    }
    return found.index();
  }
}
