package io.canopygrid.btree.structure;

import io.canopygrid.Balancing;
import io.canopygrid.btree.control.BalanceLimits;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * The settings for a node's part in the balance.
 *
 * @param limits the aims of the node's controller
 * @param chance gives a random number below a bound; it decides which keys are sampled
 */
public record BalanceSetup(BalanceLimits limits, LongUnaryOperator chance) {
  /** The time between two looks of the controller. */
  private static final long INTERVAL_MILLIS = 1_000;

  /** The limits of a configuration. */
  public static BalanceLimits limits(Balancing balancing) {
    return new BalanceLimits(
        balancing.enabled(),
        balancing.subtreesPerNode(),
        balancing.minSubtreeEntries(),
        balancing.movedEntriesPerSecond(),
        balancing.placement(),
        INTERVAL_MILLIS);
  }

  /** Samples keys in turn, so that each run is the same. */
  public static BalanceSetup byHand(BalanceLimits limits) {
    AtomicLong turn = new AtomicLong();
    return new BalanceSetup(limits, bound -> turn.incrementAndGet() % bound);
  }
}
