package io.canopygrid.btree.access;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One index in one transaction: the snapshot under the transaction's own writes, and what was read
 * of it. Keys and values handed in are kept and must not change; those returned are not to be
 * changed. Confined to the transaction's thread.
 */
public final class TreeView implements EngineView {
  /** Stands for the value of a key that the transaction removed. */
  private static final byte[] REMOVED = new byte[0];

  private final TreeTransaction transaction;
  private final IndexRef index;

  /** New values by key; null as long as there is none, as in most transactions. */
  private @Nullable TreeMap<byte[], byte[]> writes;

  /** What was read, by key; null as long as there is nothing to be remembered. */
  private @Nullable TreeMap<byte[], Snapshot.PointRead> reads;

  private List<RangeMark> ranges = List.of();

  TreeView(TreeTransaction transaction, IndexRef index) {
    this.transaction = transaction;
    this.index = index;
  }

  /** The index. */
  public IndexRef index() {
    return index;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    if (writes != null) {
      byte[] own = writes.get(key);
      if (own != null) {
        return valueOf(own);
      }
    }
    Snapshot.PointRead read = readBefore(key);
    return read != null ? read.value() : read(key).value();
  }

  private Snapshot.PointRead read(byte[] key) {
    try {
      Snapshot.PointRead read = transaction.read(index, key);
      if (transaction.remembers()) {
        if (reads == null) {
          reads = new TreeMap<>(Keys.ORDER);
        }
        reads.put(key, read);
      }
      return read;
    } catch (TimeoutException e) {
      throw Failures.timeout(transaction.id(), e);
    } catch (RuntimeException e) {
      throw transaction.failure(e);
    }
  }

  /** A key that was read by itself, where it was then; null: it was not. */
  @Nullable CompositeKey placeRead(byte[] key) {
    Snapshot.PointRead read = readBefore(key);
    return read == null ? null : read.key();
  }

  private Snapshot.@Nullable PointRead readBefore(byte[] key) {
    return reads == null ? null : reads.get(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    write(key, value);
  }

  @Override
  public void remove(byte[] key) {
    write(key, REMOVED);
  }

  private void write(byte[] key, byte[] value) {
    if (writes == null) {
      writes = new TreeMap<>(Keys.ORDER);
    }
    writes.put(key, value);
  }

  @Override
  public RangeScan scan(KeyRange range, boolean reverse, long limit) {
    return new RangeScan(this, range, reverse, limit);
  }

  /**
   * Counted at the owners, where nothing has to be remembered. Else their keys come here: the
   * commit has to validate each.
   */
  @Override
  public long count(KeyRange range) {
    if (!transaction.remembers()) {
      return countOnly(range);
    }
    RangeScan scan = keys(range);
    long count = 0;
    while (scan.advance()) {
      count++;
    }
    return count;
  }

  private long countOnly(KeyRange range) {
    if (range.isEmpty()) {
      return 0;
    }
    try {
      PagesAhead ahead = pagesAhead(range.to(), false, PagesAhead.PAGES_MAX);
      return transaction.reads().count(index, range, ahead);
    } catch (TimeoutException e) {
      throw Failures.timeout(transaction.id(), e);
    } catch (RuntimeException e) {
      throw transaction.failure(e);
    }
  }

  @Override
  public int load(SortedPart part) {
    try {
      int made = transaction.load(index, part);
      return made > 0 ? made : EngineView.super.load(part);
    } catch (TimeoutException e) {
      throw Failures.timeout(transaction.id(), e);
    } catch (RuntimeException e) {
      throw transaction.failure(e);
    }
  }

  @Override
  public long removeRange(KeyRange range) {
    return removeRange(range, key -> {});
  }

  /**
   * The same.
   *
   * @param each hears of each key before it is removed; what it throws ends this
   */
  public long removeRange(KeyRange range, Consumer<byte[]> each) {
    RangeScan scan = keys(range);
    long removed = 0;
    while (scan.advance()) {
      each.accept(scan.key());
      remove(scan.key());
      removed++;
    }
    return removed;
  }

  private RangeScan keys(KeyRange range) {
    return RangeScan.ofAllKeys(this, range);
  }

  PagesAhead pagesAhead(byte @Nullable [] to, boolean reverse, int atOnce) {
    return transaction.pagesAhead(index, to, reverse, atOnce);
  }

  TreeTransaction transaction() {
    return transaction;
  }

  void remember(RangeMark mark) {
    if (ranges.isEmpty()) {
      ranges = new ArrayList<>();
    }
    ranges.add(mark);
  }

  boolean hasWrites() {
    return writes != null;
  }

  /** The first own write above a key, or from it on. */
  Map.@Nullable Entry<byte[], byte[]> writeFrom(byte[] key, boolean inclusive) {
    if (writes == null) {
      return null;
    }
    return inclusive ? writes.ceilingEntry(key) : writes.higherEntry(key);
  }

  /** The last own write below a key; null: the last one. */
  Map.@Nullable Entry<byte[], byte[]> writeBelow(byte @Nullable [] key) {
    if (writes == null) {
      return null;
    }
    return key == null ? writes.lastEntry() : writes.lowerEntry(key);
  }

  /** The value of an own write, null where it removes the key. */
  @SuppressWarnings("ReferenceEquality") // an empty value is a value
  static byte @Nullable [] valueOf(byte[] own) {
    return own == REMOVED ? null : own;
  }

  /** Adds what was read of this index and where. */
  void addReads(List<KeyRead> keys, List<RangeRead> scanned) {
    if (reads != null) {
      for (Snapshot.PointRead read : reads.values()) {
        keys.add(new KeyRead(read.key(), read.seen()));
      }
    }
    for (RangeMark mark : ranges) {
      if (!mark.isEmpty()) {
        scanned.add(mark.toRangeRead());
      }
    }
  }

  /** Adds the writes, each where the key was read, or where the crown says. */
  void addWrites(Router router, long deadlineNanos, List<Write> all) throws TimeoutException {
    if (writes == null) {
      return;
    }
    for (Map.Entry<byte[], byte[]> write : writes.entrySet()) {
      byte[] key = write.getKey();
      Snapshot.PointRead read = readBefore(key);
      CompositeKey place =
          read != null
              ? read.key()
              : EntryKeys.of(router.subtreeOf(index.number(), key, deadlineNanos), key);
      all.add(new Write(place, valueOf(write.getValue()), null));
    }
  }

  /** Whether the transaction read or wrote this very key of this index. */
  boolean touched(byte[] key) {
    return (writes != null && writes.containsKey(key)) || readBefore(key) != null;
  }

  /** Whether the transaction scanned a part of this subtree. */
  boolean scanned(long kcl) {
    for (RangeMark mark : ranges) {
      if (mark.isOf(kcl)) {
        return true;
      }
    }
    return false;
  }
}
