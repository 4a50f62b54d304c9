package io.canopygrid.btree.balance;

import io.canopygrid.btree.subtree.Closing;

/**
 * What is wanted of a subtree: that so much of it goes elsewhere.
 *
 * @param to where it goes
 * @param entries how many live entries, at least 1; fewer where one transaction cannot move as many
 * @param whole whether all of it may go, so that it is retired; else something is left
 * @param shard for a new subtree the shard, {@link Closing#ANY_SHARD}: where there is room
 */
record Demand(Closing.To to, long entries, boolean whole, int shard) {
  Demand {
    if (entries < 1) {
      throw new IllegalArgumentException("must be >= 1: entries=" + entries);
    }
  }

  /** Half of the entries to a new subtree. */
  static Demand split(long entries) {
    return new Demand(Closing.To.NEW, Math.max(entries / 2, 1), false, Closing.ANY_SHARD);
  }

  /** Entries to a neighbour, perhaps all. */
  static Demand shift(Closing.To to, long entries) {
    return new Demand(to, entries, true, Closing.ANY_SHARD);
  }

  /** As much as can be to a new subtree in a shard, perhaps all. */
  static Demand move(int shard) {
    return new Demand(Closing.To.NEW, Long.MAX_VALUE, true, shard);
  }
}
