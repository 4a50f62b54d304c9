package io.canopygrid.gmu.node;

import java.util.function.LongSupplier;

/**
 * The room that a node keeps back on its disk. Where less is left, transactions that put something
 * into its shards are refused, so that what the node must still write has room.
 *
 * @param directory that is on the disk, for people
 * @param bytes kept back, at least 0; 0: nothing is
 * @param free the bytes that are left now; below 0: nobody knows. Asked ten times a second or so,
 *     by any thread
 */
public record DiskReserve(String directory, long bytes, LongSupplier free) {
  /** Nothing is kept back. */
  public static final DiskReserve NONE = new DiskReserve("", 0, () -> Long.MAX_VALUE);

  public DiskReserve {
    if (bytes < 0) {
      throw new IllegalArgumentException("must be >= 0: bytes=" + bytes);
    }
  }

  /**
   * The bytes that must be left until all is taken again: a quarter more, so that a disk at the
   * limit does not change its mind with each file that the engine makes or drops.
   */
  long resumesAt() {
    return bytes + bytes / 4;
  }
}
