package io.canopygrid.gmu.message;

import io.canopygrid.clock.VectorClock;

/**
 * The part of all commits that a grid has kept when it was founded from disks after a power cut
 * (docs/internals/recovery.md, The cut). Immutable.
 *
 * @param topology the id of the founding topology
 * @param upTo by shard the highest number that was kept; {@link #UNLIMITED} for a shard that has
 *     begun empty, or never had an owner
 */
public record Cut(long topology, VectorClock upTo) {
  /** The number of a shard of which nothing is cut. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * Whether a commit is kept: it, and so all that it depends on, is in each shard at or below the
   * number that was kept. A clock of zero is below every horizon.
   */
  public boolean keeps(VectorClock clock) {
    return clock.precedesOrEquals(upTo);
  }

  /** The lower one of the two in each shard, as a cut of this topology. */
  public Cut meet(Cut other) {
    return new Cut(topology, upTo.meet(other.upTo));
  }
}
