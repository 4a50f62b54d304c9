package io.canopygrid.btree.balance;

import io.canopygrid.btree.subtree.Closing;
import org.jspecify.annotations.Nullable;

/**
 * A demand that a part of a subtree goes elsewhere.
 *
 * @param to where it goes
 * @param entries how many live entries, at least 1; fewer where one transaction cannot move as many
 * @param whole whether all of it may go, so that it is retired; else something is left
 * @param shard for a new subtree the shard, {@link Closing#ANY_SHARD}: where there is room
 * @param from of an upper part the key below which nothing goes; null: there is no such bound
 */
record Demand(Closing.To to, long entries, boolean whole, int shard, byte @Nullable [] from) {
  Demand {
    if (entries < 1) {
      throw new IllegalArgumentException("must be >= 1: entries=" + entries);
    }
    if (from != null && (to == Closing.To.LEFT || whole)) {
      throw new IllegalArgumentException("only of an upper part that leaves something: from");
    }
  }

  private Demand(Closing.To to, long entries, boolean whole, int shard) {
    this(to, entries, whole, shard, null);
  }

  /** Half of the entries to a new subtree. */
  static Demand split(long entries, int shard) {
    return new Demand(Closing.To.NEW, Math.max(entries / 2, 1), false, shard);
  }

  /** The part from a key on to a new subtree in a shard. */
  static Demand from(byte[] key, int shard) {
    return new Demand(Closing.To.NEW, Long.MAX_VALUE, false, shard, key);
  }

  /** The part from a key on to the right neighbour. */
  static Demand restFrom(byte[] key) {
    return new Demand(Closing.To.RIGHT, Long.MAX_VALUE, false, Closing.ANY_SHARD, key);
  }

  /** Entries to a neighbour, perhaps all. */
  static Demand shift(Closing.To to, long entries) {
    return new Demand(to, entries, true, Closing.ANY_SHARD);
  }

  /** As many entries as one transaction can move to a new subtree in a shard, perhaps all. */
  static Demand move(int shard) {
    return new Demand(Closing.To.NEW, Long.MAX_VALUE, true, shard);
  }
}
