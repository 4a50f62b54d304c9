package io.canopygrid.wire;

import io.canopygrid.clock.VectorClock;

/**
 * Clocks as bytes: the number of components, then of each the distance of its shard from the one
 * before, and its number, all as {@link ByteWriter#writeVarLong}.
 */
public final class ClockBytes {
  /** Shard numbers are below this. */
  public static final int SHARDS_MAX = 1 << 16;

  /** The fewest bytes that a component takes. */
  private static final int COMPONENT_BYTES = 2;

  private ClockBytes() {}

  /** Appends a clock. */
  public static void write(ByteWriter out, VectorClock clock) {
    out.writeVarLong(clock.size());
    int previous = -1;
    for (int i = 0; i < clock.size(); i++) {
      out.writeVarLong(clock.shardAt(i) - previous - 1L).writeVarLong(clock.numberAt(i));
      previous = clock.shardAt(i);
    }
  }

  /**
   * Appends a clock as what differs from another one that names the same shards: the number of
   * components that differ, then of each the distance of its place from the one before, and by how
   * much its number is higher, as {@link ByteWriter#writeVarLong} with the sign in the lowest bit.
   */
  public static void writeDifference(ByteWriter out, VectorClock clock, VectorClock base) {
    int size = clock.size();
    int differing = 0;
    for (int i = clock.nextDifference(base, 0); i < size; i = clock.nextDifference(base, i + 1)) {
      differing++;
    }
    out.writeVarLong(differing);
    int previous = -1;
    for (int i = clock.nextDifference(base, 0); i < size; i = clock.nextDifference(base, i + 1)) {
      long higher = clock.numberAt(i) - base.numberAt(i);
      out.writeVarLong(i - previous - 1L).writeVarLong((higher << 1) ^ (higher >> 63));
      previous = i;
    }
  }

  /** Reads a clock that was appended as what differs from another one. */
  public static VectorClock readDifference(ByteReader in, VectorClock base) {
    int size = base.size();
    int differing = in.readCount(Math.min(size, in.remaining() / COMPONENT_BYTES));
    long[] numbers = new long[size];
    for (int i = 0; i < size; i++) {
      numbers[i] = base.numberAt(i);
    }
    int previous = -1;
    for (int i = 0; i < differing; i++) {
      int place = previous + 1 + in.readCount(size - previous - 2);
      long higher = in.readVarLong();
      numbers[place] += (higher >>> 1) ^ -(higher & 1);
      if (numbers[place] < 1) {
        throw new MalformedBytesException("a clock's number must be >= 1: " + numbers[place]);
      }
      previous = place;
    }
    return base.withNumbers(numbers);
  }

  /** Reads a clock of at most {@value #SHARDS_MAX} shards. */
  public static VectorClock read(ByteReader in) {
    int size = in.readCount(Math.min(SHARDS_MAX, in.remaining() / COMPONENT_BYTES));
    int[] shards = new int[size];
    long[] numbers = new long[size];
    int previous = -1;
    for (int i = 0; i < size; i++) {
      shards[i] = previous + 1 + in.readCount(SHARDS_MAX - previous - 2);
      numbers[i] = in.readVarLong();
      if (numbers[i] < 1) {
        throw new MalformedBytesException("a clock's number must be >= 1: " + numbers[i]);
      }
      previous = shards[i];
    }
    return VectorClock.of(shards, numbers);
  }
}
