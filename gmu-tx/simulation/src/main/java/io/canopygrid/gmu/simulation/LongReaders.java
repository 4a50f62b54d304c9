package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.protocol.ProtocolConfig;

/**
 * Transactions of one client that run for longer than they may hold the horizon back. Such a
 * transaction must be told that it is too old, and by nothing else than that.
 */
final class LongReaders {
  private static final long NEVER_NANOS = ProtocolConfig.DEFAULT.snapshotAgeMaxNanos();

  private final SimulatedWorld world;
  private final SeededRandom random;
  private final double share;

  LongReaders(SimulatedWorld world, int session) {
    this.world = world;
    this.random = world.stream(4_000 + session);
    this.share =
        world.options.has(SimulatedFault.LONG_READERS)
            ? world.stream(3_999).oneOf(0.02, 0.1, 0.3)
            : 0;
  }

  /** The time for which a transaction may hold the horizon back, in this run. */
  static long ageMax(SimulatedWorld world) {
    return world.options.has(SimulatedFault.LONG_READERS)
        ? world.stream(3_998).oneOf(50, 200, 600)
        : NEVER_NANOS;
  }

  /** The pause before a transaction's next step, which is a long one at times. */
  long pause(long usual) {
    return random.chance(share) ? usual + random.oneOf(100, 400, 1_500) : usual;
  }

  /**
   * Checks what a transaction does next; true where it is too old, and ends.
   *
   * @param what for the problem's text
   */
  boolean isOver(SimulatedTransaction tx, String what) {
    boolean isOld = tx.node.protocol.isOld(tx.handle);
    boolean bounded = tx.task == null || tx.task.use() != SnapshotTasks.Use.READ;
    long knownFrom = Math.max(tx.begunAt, tx.node.firstTickAt);
    if (!isOld && bounded && tx.node.tickedAt - knownFrom > ageMax(world)) {
      world.problems.add(what + " of " + tx.log + ", which has run for too long");
    }
    if (isOld && !bounded) {
      world.problems.add("a named snapshot is too old for " + tx.log);
    }
    tx.log.tooOld = isOld;
    world.counters.add("transactions too old", isOld ? 1 : 0);
    return isOld;
  }

  /** An answer to a transaction that is too old must say so, or that nobody can be asked. */
  void check(SimulatedTransaction tx, ReadAnswer answer) {
    boolean isTold =
        answer instanceof ReadAnswer.TooOld || answer instanceof ReadAnswer.Unavailable;
    if (!isTold && tx.node.protocol.isOld(tx.handle)) {
      world.problems.add("an answer for " + tx.log + ", which is too old");
    }
  }

  /** A transaction that was too old before its commit must not commit. */
  void check(SimulatedTransaction tx, Outcome outcome) {
    if (outcome instanceof Outcome.Committed && tx.tooOld) {
      world.problems.add("too old, and committed: " + tx.log);
    }
  }
}
