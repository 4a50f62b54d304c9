package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one index that a transaction's commit has to validate. Confined to the transaction's
 * thread.
 */
public final class ReadSet {
  /** No reads; stays empty. */
  static final ReadSet NONE = new ReadSet();

  /** The keys that were read by themselves; null as long as there is none. */
  private @Nullable TreeMap<byte[], Snapshot.PointRead> keys;

  private List<RangeMark> ranges = List.of();

  /** A key that was read by itself, as it was then; null: it was not. */
  public Snapshot.@Nullable PointRead get(byte[] key) {
    return keys == null ? null : keys.get(key);
  }

  /** A key was read by itself. */
  void add(byte[] key, Snapshot.PointRead read) {
    if (keys == null) {
      keys = new TreeMap<>(Keys.ORDER);
    }
    keys.put(key, read);
  }

  /** A scan has begun in a subtree; its mark grows with it. */
  void add(RangeMark mark) {
    if (ranges.isEmpty()) {
      ranges = new ArrayList<>();
    }
    ranges.add(mark);
  }

  /** Whether a part of this subtree was scanned. */
  public boolean hasScanned(long kcl) {
    for (RangeMark mark : ranges) {
      if (mark.isOf(kcl)) {
        return true;
      }
    }
    return false;
  }

  /** Adds the reads, each with its place. */
  void addTo(List<KeyRead> reads, List<RangeRead> scanned) {
    if (keys != null) {
      for (Snapshot.PointRead read : keys.values()) {
        reads.add(new KeyRead(read.key(), read.seen()));
      }
    }
    for (RangeMark mark : ranges) {
      if (!mark.isEmpty()) {
        scanned.add(mark.toRangeRead());
      }
    }
  }
}
