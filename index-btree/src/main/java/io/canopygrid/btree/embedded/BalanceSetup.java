package io.canopygrid.btree.embedded;

import io.canopygrid.Balancing;
import io.canopygrid.btree.control.BalanceLimits;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * How a node takes part in the balance.
 *
 * @param limits what it aims at
 * @param chance a number below another one, at random: which keys are sampled
 */
record BalanceSetup(BalanceLimits limits, LongUnaryOperator chance) {
  /** How often the controller looks. */
  private static final long INTERVAL_MILLIS = 1_000;

  /** What a configuration says. */
  static BalanceLimits limits(Balancing balancing) {
    return new BalanceLimits(
        balancing.enabled(),
        balancing.subtreesPerNode(),
        balancing.minSubtreeEntries(),
        balancing.movedEntriesPerSecond(),
        balancing.placement(),
        INTERVAL_MILLIS);
  }

  /** Keys are sampled in turn, so that all is the same each time. */
  static BalanceSetup byHand(BalanceLimits limits) {
    AtomicLong turn = new AtomicLong();
    return new BalanceSetup(limits, bound -> turn.incrementAndGet() % bound);
  }
}
