package io.canopygrid.btree.control;

import io.canopygrid.Placement;

/**
 * The aims of the controller, and its pace.
 *
 * @param enabled whether it changes anything by itself
 * @param subtreesPerNode how many subtrees an index has per node at least, where it has entries for
 *     them; twice as many are merged; at least 1
 * @param minSubtreeEntries a subtree of no more entries is not split for their number, at least 2
 * @param movedEntriesPerSecond how many entries it moves from subtree to subtree, at least 1
 * @param placement what decides where subtrees go
 * @param intervalMillis how often it looks, at least 2
 */
public record BalanceLimits(
    boolean enabled,
    int subtreesPerNode,
    int minSubtreeEntries,
    int movedEntriesPerSecond,
    Placement placement,
    long intervalMillis) {
  /** The age at which a use of the data counts 1/e. */
  public double memorySeconds() {
    return 2e-3 * intervalMillis;
  }

  /** The limits of a node where nothing else is configured. */
  public static final BalanceLimits DEFAULT =
      new BalanceLimits(true, 8, 128, 20_000, Placement.EVEN, 1_000);

  /** The controller changes nothing by itself. */
  public static final BalanceLimits OFF =
      new BalanceLimits(false, 8, 128, 20_000, Placement.EVEN, 1_000);

  /** Checks the ranges. */
  public BalanceLimits {
    if (subtreesPerNode < 1
        || minSubtreeEntries < 2
        || movedEntriesPerSecond < 1
        || intervalMillis < 2) {
      throw new IllegalArgumentException(
          "out of range: subtreesPerNode="
              + subtreesPerNode
              + " minSubtreeEntries="
              + minSubtreeEntries
              + " movedEntriesPerSecond="
              + movedEntriesPerSecond
              + " intervalMillis="
              + intervalMillis);
    }
  }
}
