package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.protocol.hot.HotLimits;
import java.util.function.Consumer;

/**
 * The protocol's limits.
 *
 * @param lockTimeoutNanos how long a prepare waits for locks before it is refused, at least 1
 * @param scanEntriesMax most entries in one answer to a scan, at least 1
 * @param scanBytesMax bytes of keys and values after which an answer to a scan stops, at least 1
 * @param stateChunkBytes bytes of keys and values after which a chunk of a shard's state is full,
 *     at least 1
 * @param resendNanos how long an answer of another member is awaited before it is asked again, at
 *     least 1; looked at in each tick
 * @param stateResendNanos the same of the next part of a shard's state, whose making takes time
 * @param failuresAtOnce how many nodes may fail at once without anything being lost that was seen,
 *     at least 1; above 1 a commit takes a round trip more
 * @param counterBits how many of a sequence number's 63 bits count a shard's commits in one epoch,
 *     from 2 to 61; the others are for the epoch, a topology's id. The same on all nodes
 * @param snapshotAgeMaxNanos how long a transaction may hold the horizon back, at least 1; looked
 *     at in each tick
 * @param removalBytes what a node with a disk remembers of keys that are gone, at least 1: for each
 *     its bytes and some 100 more
 * @param entryBytesMax the memory that a node with a disk gives its entries, at least 1; values
 *     that have no room are on the disk only
 * @param coldBytesMin a smaller value stays in memory, at least 1
 * @param hot of hot entries; off unless it is said
 */
public record ProtocolConfig(
    long lockTimeoutNanos,
    int scanEntriesMax,
    int scanBytesMax,
    int stateChunkBytes,
    long resendNanos,
    long stateResendNanos,
    int failuresAtOnce,
    int counterBits,
    long snapshotAgeMaxNanos,
    long removalBytes,
    long entryBytesMax,
    int coldBytesMin,
    HotLimits hot) {
  private static final long REMOVAL_BYTES = 64L << 20;

  /** A smaller value takes little more than what has to be known of it. */
  private static final int COLD_BYTES_MIN = 64;

  /** 2^23 topologies, and in each 2^40 commits of a shard. */
  public static final int COUNTER_BITS = 40;

  public static final ProtocolConfig DEFAULT =
      new ProtocolConfig(50_000_000L, 1_000, 1 << 20, 1 << 15);

  /**
   * One failure at a time, a quarter of a second before anything is sent again, a second for state,
   * five minutes for a transaction.
   */
  public ProtocolConfig(
      long lockTimeoutNanos, int scanEntriesMax, int scanBytesMax, int stateChunkBytes) {
    this(
        lockTimeoutNanos,
        scanEntriesMax,
        scanBytesMax,
        stateChunkBytes,
        250_000_000L,
        1_000_000_000L,
        1,
        COUNTER_BITS,
        300_000_000_000L,
        REMOVAL_BYTES,
        Long.MAX_VALUE,
        COLD_BYTES_MIN,
        HotLimits.OFF);
  }

  public ProtocolConfig {
    require(lockTimeoutNanos, "lockTimeoutNanos");
    require(scanEntriesMax, "scanEntriesMax");
    require(scanBytesMax, "scanBytesMax");
    require(stateChunkBytes, "stateChunkBytes");
    require(resendNanos, "resendNanos");
    require(stateResendNanos, "stateResendNanos");
    require(failuresAtOnce, "failuresAtOnce");
    require(snapshotAgeMaxNanos, "snapshotAgeMaxNanos");
    require(removalBytes, "removalBytes");
    require(entryBytesMax, "entryBytesMax");
    require(coldBytesMin, "coldBytesMin");
    if (counterBits < 2 || counterBits > 61) {
      throw new IllegalArgumentException("must be from 2 to 61: counterBits=" + counterBits);
    }
  }

  /** The same with another lock timeout. */
  public ProtocolConfig withLockTimeoutNanos(long nanos) {
    return with(copy -> copy.lockTimeoutNanos = nanos);
  }

  /** The same with another time after which messages are sent again, those for state as well. */
  public ProtocolConfig withResendNanos(long nanos) {
    return with(copy -> {
      copy.resendNanos = nanos;
      copy.stateResendNanos = nanos;
    });
  }

  /** The same for so many failures at once. */
  public ProtocolConfig withFailuresAtOnce(int count) {
    return with(copy -> copy.failuresAtOnce = count);
  }

  /** The same with other sequence numbers. */
  public ProtocolConfig withCounterBits(int bits) {
    return with(copy -> copy.counterBits = bits);
  }

  /** The same with another time for which a transaction may hold the horizon back. */
  public ProtocolConfig withSnapshotAgeMaxNanos(long nanos) {
    return with(copy -> copy.snapshotAgeMaxNanos = nanos);
  }

  /** The same with another memory of keys that are gone. */
  public ProtocolConfig withRemovalBytes(long bytes) {
    return with(copy -> copy.removalBytes = bytes);
  }

  /** The same with another memory for entries. */
  public ProtocolConfig withEntryBytesMax(long bytes) {
    return with(copy -> copy.entryBytesMax = bytes);
  }

  /** The same with another memory for entries, and other values that stay there. */
  public ProtocolConfig withEntryBytes(long bytesMax, int coldMin) {
    return with(copy -> {
      copy.entryBytesMax = bytesMax;
      copy.coldBytesMin = coldMin;
    });
  }

  /** The same with hot entries, within the usual limits, or without them. */
  public ProtocolConfig withHotEntries(boolean on) {
    return withHot(on ? HotLimits.ON : HotLimits.OFF);
  }

  /** The same with other limits of hot entries. */
  public ProtocolConfig withHot(HotLimits limits) {
    return with(copy -> copy.hot = limits);
  }

  private ProtocolConfig with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.toConfig();
  }

  /** A copy of which some values may be changed. */
  private static final class Copy {
    long lockTimeoutNanos;
    int scanEntriesMax;
    int scanBytesMax;
    int stateChunkBytes;
    long resendNanos;
    long stateResendNanos;
    int failuresAtOnce;
    int counterBits;
    long snapshotAgeMaxNanos;
    long removalBytes;
    long entryBytesMax;
    int coldBytesMin;
    HotLimits hot;

    Copy(ProtocolConfig of) {
      lockTimeoutNanos = of.lockTimeoutNanos;
      scanEntriesMax = of.scanEntriesMax;
      scanBytesMax = of.scanBytesMax;
      stateChunkBytes = of.stateChunkBytes;
      resendNanos = of.resendNanos;
      stateResendNanos = of.stateResendNanos;
      failuresAtOnce = of.failuresAtOnce;
      counterBits = of.counterBits;
      snapshotAgeMaxNanos = of.snapshotAgeMaxNanos;
      removalBytes = of.removalBytes;
      entryBytesMax = of.entryBytesMax;
      coldBytesMin = of.coldBytesMin;
      hot = of.hot;
    }

    ProtocolConfig toConfig() {
      return new ProtocolConfig(
          lockTimeoutNanos,
          scanEntriesMax,
          scanBytesMax,
          stateChunkBytes,
          resendNanos,
          stateResendNanos,
          failuresAtOnce,
          counterBits,
          snapshotAgeMaxNanos,
          removalBytes,
          entryBytesMax,
          coldBytesMin,
          hot);
    }
  }

  /** The number right below the first one of an epoch. */
  long epochStart(long topology) {
    return topology << counterBits;
  }

  /** The last number of an epoch. */
  long epochEnd(long topology) {
    return epochStart(topology) + (1L << counterBits) - 1;
  }

  /** The epoch of a number: the id of the topology in which it was given. */
  long epochOf(long number) {
    return number >> counterBits;
  }

  /** Whether half of an epoch's numbers are given with a number, and were not with another. */
  boolean halvesEpoch(long before, long number) {
    long half = epochStart(epochOf(number)) + (1L << (counterBits - 1));
    return before < half && number >= half;
  }

  /** The greatest id of a topology that can be an epoch. */
  long topologyMax() {
    return Long.MAX_VALUE >> counterBits;
  }

  private static void require(long value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + value);
    }
  }
}
