package io.canopygrid.btree.prepared;

import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The headers, and other entries, that one step reads in its snapshot. Confined to one thread. */
final class SnapshotReads {
  private static final int HOPS_MAX = 1_000;

  private final GmuTransaction transaction;
  private final Router router;
  private final long deadlineNanos;
  private final Map<Long, Header> headers = new HashMap<>();

  /** The subtrees found so far, by index and lowest key. */
  private final Map<Integer, TreeMap<byte[], Header>> found = new HashMap<>();

  SnapshotReads(GmuTransaction transaction, Router router, long deadlineNanos) {
    this.transaction = transaction;
    this.router = router;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * A header as it was read.
   *
   * @param read what the commit has to validate
   */
  record Header(long kcl, SubtreeHeader header, KeyRead read) {}

  /** The header of a subtree, null where it has none in this snapshot. */
  @Nullable Header header(long kcl) throws TimeoutException {
    Header known = headers.get(kcl);
    if (known != null) {
      return known;
    }
    CompositeKey key = CompositeKey.header(kcl);
    ReadAnswer.Got got = get(key);
    byte[] value = got.value();
    if (value == null) {
      return null;
    }
    Header read = new Header(kcl, SubtreeHeader.decode(value), new KeyRead(key, got.seen()));
    headers.put(kcl, read);
    return read;
  }

  /** The subtree that has a key in this snapshot; null: the crown is ahead of it, or behind. */
  @Nullable Header covering(int index, byte[] key) throws TimeoutException {
    TreeMap<byte[], Header> known = found.computeIfAbsent(index, any -> new TreeMap<>(Keys.ORDER));
    Map.Entry<byte[], Header> floor = known.floorEntry(key);
    if (floor != null && floor.getValue().header().covers(key)) {
      return floor.getValue();
    }
    long kcl = router.subtreeOf(index, key, deadlineNanos);
    for (int hop = 0; hop < HOPS_MAX; hop++) {
      Header read = SubtreeHeader.isSubtree(kcl) ? header(kcl) : null;
      if (read == null) {
        return null;
      }
      if (read.header().covers(key)) {
        known.put(read.header().low(), read);
        return read;
      }
      kcl = read.header().towards(key);
    }
    return null;
  }

  ReadAnswer.Got get(CompositeKey key) throws TimeoutException {
    ReadAnswer answer = transaction.read(new ReadQuery.Get(key));
    if (answer instanceof ReadAnswer.Got got) {
      return got;
    }
    throw Failures.unanswered(answer, null);
  }

  /** One page of entries, ascending, tombstones included. */
  ReadAnswer.Scanned scan(long kcl, byte[] from, byte @Nullable [] to, boolean values)
      throws TimeoutException {
    ReadAnswer answer = transaction.read(new ReadQuery.Scan(kcl, from, to, false, 1_000, values));
    if (answer instanceof ReadAnswer.Scanned page) {
      return page;
    }
    throw Failures.unanswered(answer, null);
  }
}
