package io.canopygrid.gmu.node;

import io.canopygrid.Durability;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;

/**
 * The disk of a node.
 *
 * @param storage what the node writes to; it closes it when it ends
 * @param durability when a step counts as stored
 * @param forceEveryMillis where not each step is forced: the disk has it after that time, at least
 *     1; what is lost where all machines lose their power
 * @param recovered what the disk had when it was opened: the node begins with it
 * @param seen the join of what all disks have seen from which the grid is founded; zero: the node
 *     joins a grid that serves
 */
public record NodeStorage(
    Storage storage,
    Durability durability,
    long forceEveryMillis,
    Recovered recovered,
    VectorClock seen) {
  /** {@code forceEveryMillis} where nothing else is said. */
  public static final long FORCE_EVERY_MILLIS = 100;

  public NodeStorage {
    if (forceEveryMillis < 1) {
      throw new IllegalArgumentException("must be >= 1: forceEveryMillis=" + forceEveryMillis);
    }
  }

  /** The only disk of its grid. */
  NodeStorage(Storage storage, Durability durability, Recovered recovered) {
    this(storage, durability, FORCE_EVERY_MILLIS, recovered, recovered.seen());
  }

  /** Whether each step is forced before it counts as stored. */
  boolean forcesEach() {
    return durability == Durability.FSYNC;
  }
}
