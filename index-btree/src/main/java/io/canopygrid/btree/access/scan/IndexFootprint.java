package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The reads and staged writes of one transaction in one index. Confined to the transaction's
 * thread.
 */
public final class IndexFootprint {
  private final IndexRef index;
  private final ReadSet reads = new ReadSet();
  private final WriteSet writes = new WriteSet();

  /** A footprint of nothing yet. */
  public IndexFootprint(IndexRef index) {
    this.index = index;
  }

  /** The index. */
  public IndexRef index() {
    return index;
  }

  /** The reads. */
  public ReadSet reads() {
    return reads;
  }

  /** The staged writes. */
  public WriteSet writes() {
    return writes;
  }

  /** Whether the transaction read this very key by itself, or writes it. */
  public boolean touches(byte[] key) {
    return writes.get(key) != null || reads.get(key) != null;
  }

  /** Adds the reads, each with its place. */
  public void addReads(List<KeyRead> keys, List<RangeRead> scanned) {
    reads.addTo(keys, scanned);
  }

  /** Adds the writes, each where the key was read, or where the crown says. */
  public void addWrites(Router router, long deadlineNanos, List<Write> all)
      throws TimeoutException {
    for (Map.Entry<byte[], byte[]> write : writes.all()) {
      byte[] key = write.getKey();
      Snapshot.PointRead read = reads.get(key);
      CompositeKey place =
          read != null
              ? read.key()
              : EntryKeys.of(router.subtreeOf(index.number(), key, deadlineNanos), key);
      all.add(new Write(place, WriteSet.valueOf(write.getValue()), null));
    }
  }
}
