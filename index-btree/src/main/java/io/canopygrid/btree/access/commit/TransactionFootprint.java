package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.access.scan.IndexFootprint;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The reads and staged writes of one transaction, index by index. Confined to the transaction's
 * thread.
 */
final class TransactionFootprint {
  private final List<IndexFootprint> indexes = new ArrayList<>(2);

  /** Takes up an index that the transaction has not used before. */
  IndexFootprint add(IndexRef index) {
    IndexFootprint footprint = new IndexFootprint(index);
    indexes.add(footprint);
    return footprint;
  }

  boolean hasWrites() {
    for (IndexFootprint index : indexes) {
      if (!index.writes().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Adds what the commit has to validate and to write, each where it was read or is routed to. */
  void addTo(
      Router router,
      long deadlineNanos,
      List<KeyRead> reads,
      List<RangeRead> ranges,
      List<Write> writes)
      throws TimeoutException {
    for (IndexFootprint index : indexes) {
      index.addReads(reads, ranges);
      index.addWrites(router, deadlineNanos, writes);
    }
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
