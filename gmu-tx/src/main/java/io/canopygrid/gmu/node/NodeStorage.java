package io.canopygrid.gmu.node;

import io.canopygrid.Durability;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;

/**
 * The disk of a node.
 *
 * @param storage what the node writes to; it closes it when it ends
 * @param durability when a step counts as stored
 * @param forceEveryMillis where not each step is forced: the disk has it after that time, at least
 *     1; what is lost where all machines lose their power
 * @param reserve the room that is kept back
 * @param timeoutMillis the node ends when the disk has not taken a step for so long, at least 1
 */
public record NodeStorage(
    Storage storage,
    Durability durability,
    long forceEveryMillis,
    DiskReserve reserve,
    long timeoutMillis) {
  /** {@code forceEveryMillis} where nothing else is said. */
  public static final long FORCE_EVERY_MILLIS = 100;

  /** {@code timeoutMillis} where nothing else is said. */
  public static final long TIMEOUT_MILLIS = 10_000;

  public NodeStorage {
    if (forceEveryMillis < 1) {
      throw new IllegalArgumentException("must be >= 1: forceEveryMillis=" + forceEveryMillis);
    }
    if (timeoutMillis < 1) {
      throw new IllegalArgumentException("must be >= 1: timeoutMillis=" + timeoutMillis);
    }
  }

  /**
   * A disk that has what was written after {@value #FORCE_EVERY_MILLIS} ms, on which nothing is
   * kept back, and which may take {@value #TIMEOUT_MILLIS} ms for a step.
   */
  public NodeStorage(Storage storage, Durability durability) {
    this(storage, durability, FORCE_EVERY_MILLIS, DiskReserve.NONE, TIMEOUT_MILLIS);
  }

  /** The same with so much room kept back. */
  public NodeStorage withReserve(DiskReserve kept) {
    return new NodeStorage(storage, durability, forceEveryMillis, kept, timeoutMillis);
  }

  /** The same with another time that the disk may take. */
  public NodeStorage withTimeout(long millis) {
    return new NodeStorage(storage, durability, forceEveryMillis, reserve, millis);
  }

  /**
   * The content of the disk with the versions of all copies.
   *
   * @param closed as the storage has told it; nothing was written since but promises
   * @param valueBytesMax so many bytes of values at most; others are left on the disk
   */
  public Recovered opened(Recovered closed, long valueBytesMax) {
    long[] left = {valueBytesMax};
    return closed.opened(shard -> {
      Recovered.Copy copy = storage.open(shard, left[0]);
      left[0] = Math.max(0, left[0] - copy.valueBytes());
      return copy;
    });
  }

  /** Whether each step is forced before it counts as stored. */
  boolean forcesEach() {
    return durability == Durability.FSYNC;
  }
}
