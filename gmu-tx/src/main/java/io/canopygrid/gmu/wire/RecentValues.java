package io.canopygrid.gmu.wire;

import io.canopygrid.wire.MalformedBytesException;
import java.util.IdentityHashMap;

/**
 * The values that were written, or read, last, up to some bytes: a commit's values come with its
 * decision, and soon again with its versions. A writer finds a value by its identity and writes how
 * many values ago it was; a reader that has read the same values finds it by that. Confined to one
 * thread.
 */
final class RecentValues {
  /** Values that are shorter are as cheap to write again. */
  static final int LENGTH_MIN = 32;

  private static final int BYTES_MAX = 1 << 20;
  private static final int COUNT_MAX = 1 << 10;

  private final byte[][] ring = new byte[COUNT_MAX][];
  private final IdentityHashMap<byte[], Long> numbers = new IdentityHashMap<>();

  /** The numbers of the oldest value, and of the one that is added next. */
  private long oldest;

  private long next;
  private long bytes;

  /** Adds a value that is not there, and forgets the oldest ones where there are too many. */
  void add(byte[] value) {
    if (value.length < LENGTH_MIN || value.length > BYTES_MAX) {
      return;
    }
    bytes += value.length;
    while (bytes > BYTES_MAX || next - oldest == COUNT_MAX) {
      byte[] forgotten = ring[place(oldest++)];
      numbers.remove(forgotten);
      bytes -= forgotten.length;
    }
    ring[place(next)] = value;
    numbers.put(value, next++);
  }

  private static int place(long number) {
    return (int) (number % COUNT_MAX);
  }

  /** The number of values since one was added, from 1 on; 0: it was not, or is forgotten. */
  long ago(byte[] value) {
    Long number = value.length < LENGTH_MIN ? null : numbers.get(value);
    return number == null ? 0 : next - number;
  }

  /**
   * The value that was added so many values ago.
   *
   * @throws MalformedBytesException there is none
   */
  byte[] get(long ago) {
    if (ago < 1 || ago > next - oldest) {
      throw new MalformedBytesException("no value was " + ago + " values ago");
    }
    return ring[place(next - ago)];
  }
}
