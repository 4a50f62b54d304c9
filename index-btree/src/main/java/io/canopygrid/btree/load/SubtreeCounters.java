package io.canopygrid.btree.load;

import io.canopygrid.Subtree;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The uses of one subtree. Any thread calls the counting methods, which allocate nothing but, at
 * times, a key of the sample; one thread at a time calls the others.
 *
 * <p>Rates are means weighted by age: a use as old as the memory counts 1/e. They are divided by
 * the weight of the time that was seen, so that they mean something from the first look on.
 */
final class SubtreeCounters {
  private static final double NANOS = 1e9;

  final long kcl;
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final KeySample sample;

  private byte @Nullable [] low;
  private byte @Nullable [] high;
  private long lastReads;
  private long lastWrites;
  private long takenReads;
  private long takenWrites;
  private long takenConflicts;
  private long lastNanos;
  private long sinceNanos;
  private double weightedReads;
  private double weightedWrites;
  private double weightedSeconds;

  /**
   * Counts from now on.
   *
   * @param sample for the keys that are used; counters that add no keys can share one
   */
  SubtreeCounters(long kcl, long nowNanos, KeySample sample) {
    this.kcl = kcl;
    this.sample = sample;
    this.lastNanos = nowNanos;
    this.sinceNanos = nowNanos;
  }

  void read(long count) {
    reads.add(count);
  }

  void wrote() {
    writes.increment();
  }

  void conflicted() {
    conflicts.increment();
  }

  /** The uses since this was asked before; null: there were none. */
  LoadHistory.@Nullable Use take(int index) {
    long readsNow = reads.sum();
    long writesNow = writes.sum();
    long conflictsNow = conflicts.sum();
    LoadHistory.Use use =
        new LoadHistory.Use(
            index,
            low == null ? new byte[0] : low,
            high,
            readsNow - takenReads,
            writesNow - takenWrites,
            conflictsNow - takenConflicts);
    takenReads = readsNow;
    takenWrites = writesNow;
    takenConflicts = conflictsNow;
    return use.isNone() ? null : use;
  }

  KeySample sample() {
    return sample;
  }

  /** Takes in what has happened since the last look; begins anew where the range has changed. */
  void look(byte[] nowLow, byte @Nullable [] nowHigh, long nowNanos, double memorySeconds) {
    double seconds = (nowNanos - lastNanos) / NANOS;
    long readsNow = reads.sum();
    long writesNow = writes.sum();
    if (!Arrays.equals(low, nowLow) || !Arrays.equals(high, nowHigh)) {
      if (low != null) {
        weightedReads = 0;
        weightedWrites = 0;
        weightedSeconds = 0;
        lastReads = readsNow;
        lastWrites = writesNow;
        lastNanos = nowNanos;
        sinceNanos = nowNanos;
      }
      low = nowLow;
      high = nowHigh;
    }
    if (seconds > 0 && lastNanos != nowNanos) {
      double kept = Math.exp(-seconds / memorySeconds);
      // If the time between two looks is long, its older part counts for less, too.
      double counted = memorySeconds * (1 - kept) / seconds;
      weightedReads = weightedReads * kept + (readsNow - lastReads) * counted;
      weightedWrites = weightedWrites * kept + (writesNow - lastWrites) * counted;
      weightedSeconds = weightedSeconds * kept + seconds * counted;
      lastReads = readsNow;
      lastWrites = writesNow;
      lastNanos = nowNanos;
    }
  }

  /** Reads and writes as one number, as of the last look. */
  double perSecond() {
    double weight = Math.max(weightedSeconds, 1e-3);
    return (weightedReads + Subtree.WRITE_WEIGHT * weightedWrites) / weight;
  }

  /** As of the last look. */
  SubtreeLoad load(long entries, long bytes) {
    byte[] from = low == null ? new byte[0] : low;
    double weight = Math.max(weightedSeconds, 1e-3);
    return new SubtreeLoad(
        kcl,
        entries,
        bytes,
        weightedReads / weight,
        weightedWrites / weight,
        (lastNanos - sinceNanos) / 1_000_000,
        sample.cuts(from, high));
  }
}
