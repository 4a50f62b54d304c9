package io.canopygrid.gmu;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reads and the writes of a transaction: all that its commit needs to know. Immutable. */
public record Footprint(List<KeyRead> reads, List<RangeRead> ranges, List<Write> writes) {
  public Footprint {
    reads = List.copyOf(reads);
    ranges = List.copyOf(ranges);
    writes = List.copyOf(writes);
  }

  /** The length of all values that are written. */
  public long valueBytes() {
    long bytes = 0;
    for (int i = 0; i < writes.size(); i++) {
      byte[] value = writes.get(i).value();
      bytes += value == null ? 0 : value.length;
    }
    return bytes;
  }

  /** Whether it has read a range, or a key that it does not write. */
  public boolean readsMoreThanItWrites() {
    if (!ranges.isEmpty() || reads.size() > writes.size()) {
      return true;
    }
    if (reads.isEmpty()) {
      return false;
    }
    Set<CompositeKey> written = new HashSet<>();
    writes.forEach(write -> written.add(write.key()));
    return !reads.stream().allMatch(read -> written.contains(read.key()));
  }

  /** A key, each at most once in {@link #reads()}. */
  public record KeyRead(CompositeKey key, Seen seen) {}

  /**
   * A range of ku within one kcl, and every key found in it, tombstones included.
   *
   * @param from inclusive
   * @param to exclusive, null: to the end of the kcl
   */
  public record RangeRead(long kcl, byte[] from, byte @Nullable [] to, List<KeyRead> found) {
    public RangeRead(long kcl, byte[] from, byte @Nullable [] to, List<KeyRead> found) {
      this.kcl = kcl;
      this.from = from;
      this.to = to;
      this.found = List.copyOf(found);
    }
  }

  /**
   * A new version, each key at most once in {@link #writes()}.
   *
   * @param value null: a tombstone
   * @param origin null: the transaction itself. When a structure change moves an entry, the writer
   *     of the original version, so that readers of the original still find the writer that they
   *     saw; {@link TxId#NOBODY}, with a tombstone, where the key has been moved away. A prepare
   *     that waits behind such a write is not certain to fail: it waits, then validates
   */
  public record Write(CompositeKey key, byte @Nullable [] value, @Nullable TxId origin) {}
}
