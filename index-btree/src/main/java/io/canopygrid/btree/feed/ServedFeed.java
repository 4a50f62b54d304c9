package io.canopygrid.btree.feed;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineFeed;

/** A feed whose reader may not have received what it returned last. Confined to one thread. */
public interface ServedFeed extends EngineFeed {
  /**
   * Makes sure that the next {@link #poll} returns what comes after a clock: that of the present
   * position, or of the one before the last poll, to which it goes back. The feed keeps what it
   * needs for that until the next poll.
   *
   * @return false: it was at neither of the two, and stays where it is
   */
  boolean goTo(VectorClock clock);
}
