package io.canopygrid.wire.client;

import io.canopygrid.clock.VectorClock;

/**
 * One side's account of all clocks that were said on one connection, in either direction. A message
 * says only what goes beyond it: clocks have a component per shard, of which one request changes
 * few. Confined to the thread that reads and writes the connection, or guarded by the caller: a
 * clock is to be sent in the order in which it was asked for here.
 *
 * <p>The two sides' accounts differ by what is on its way. The difference does no harm: a client
 * leaves out only what it has sent or received, and that the server has sent or will have received
 * before.
 */
public final class SeenClock {
  private VectorClock known = VectorClock.ZERO;

  /** The join of all clocks that were said. */
  public VectorClock known() {
    return known;
  }

  /** The part of a clock that has to be said; it counts as said. */
  public VectorClock toSay(VectorClock clock) {
    VectorClock before = known;
    known = known.join(clock);
    return clock.beyond(before);
  }

  /** Adds a clock that the other side has said; returns all that was said. */
  public VectorClock heard(VectorClock clock) {
    known = known.join(clock);
    return known;
  }
}
