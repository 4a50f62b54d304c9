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
