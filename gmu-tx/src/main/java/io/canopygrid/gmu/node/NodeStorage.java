package io.canopygrid.gmu.node;

import io.canopygrid.Durability;
import io.canopygrid.gmu.storage.Storage;

/**
 * The disk of a node.
 *
 * @param storage what the node writes to; it closes it when it ends
 * @param durability when a step counts as stored
 * @param forceEveryMillis where not each step is forced: the disk has it after that time, at least
 *     1; what is lost where all machines lose their power
 * @param reserve the room that is kept back
 */
public record NodeStorage(
    Storage storage, Durability durability, long forceEveryMillis, DiskReserve reserve) {
  /** {@code forceEveryMillis} where nothing else is said. */
  public static final long FORCE_EVERY_MILLIS = 100;

  public NodeStorage {
    if (forceEveryMillis < 1) {
      throw new IllegalArgumentException("must be >= 1: forceEveryMillis=" + forceEveryMillis);
    }
  }

  /**
   * A disk that has what was written after {@value #FORCE_EVERY_MILLIS} ms, and on which nothing is
   * kept back.
   */
  public NodeStorage(Storage storage, Durability durability) {
    this(storage, durability, FORCE_EVERY_MILLIS, DiskReserve.NONE);
  }

  /** The same with so much room kept back. */
  public NodeStorage withReserve(DiskReserve kept) {
    return new NodeStorage(storage, durability, forceEveryMillis, kept);
  }

  /** Whether each step is forced before it counts as stored. */
  boolean forcesEach() {
    return durability == Durability.FSYNC;
  }
}
