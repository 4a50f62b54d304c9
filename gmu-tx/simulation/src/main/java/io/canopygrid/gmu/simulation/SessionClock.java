package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;

/**
 * The clock that a client's session carries from each transaction to the next, as long as no cut
 * has taken what it has seen.
 */
final class SessionClock {
  private final SimulatedWorld world;
  private final int session;
  private final ForeignClocks foreign;
  private VectorClock seen = VectorClock.ZERO;

  SessionClock(SimulatedWorld world, int session) {
    this.world = world;
    this.session = session;
    this.foreign = new ForeignClocks(world, session);
  }

  /** A transaction has committed. */
  void saw(VectorClock clock) {
    seen = seen.join(clock);
  }

  /** The clock of the next transaction, after the session has heard of a loss. */
  VectorClock next(SimulatedNode node) {
    hearOfLoss(node);
    VectorClock clock = foreign.next(seen, node);
    return node.protocol.lostBy(clock) == null ? clock : seen;
  }

  /**
   * A node may tell the session that commits are lost; then it goes on without its clock. A
   * transaction at a named snapshot does not begin with the session's clock, and all the same this
   * comes before it: the clock of the snapshot would hide in the session's what is lost.
   */
  void hearOfLoss(SimulatedNode node) {
    if (node.protocol.lostBy(seen) != null) {
      world.counters.add("sessions told of a cut", 1);
      world.cuts.tell(session, seen, world.now());
      seen = VectorClock.ZERO;
    }
  }
}
