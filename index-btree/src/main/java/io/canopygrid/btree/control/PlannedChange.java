package io.canopygrid.btree.control;

import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.Keys;
import java.util.Locale;

/** One change of the structure. */
public sealed interface PlannedChange {
  /** The subtree that is changed. */
  PlacedSubtree subtree();

  /** The number of entries that the change moves, about. */
  long entries();

  /** Why. */
  Reason reason();

  /** Why a change is made. */
  enum Reason {
    /** An operator asked for it. */
    ASKED,
    /** The index has fewer subtrees than are wanted. */
    FEW,
    /** The index has more subtrees than are wanted. */
    MANY,
    /** The subtree has too much of the load. */
    HOT,
    /** The subtree's node has too much of the load. */
    SPREAD,
    /** The callers in the node's JVM use it most. */
    NEAR
  }

  /**
   * The entries from a key on go to a new subtree.
   *
   * @param at null: so that each part has half of the entries
   * @param shard of the new one, {@link Closing#ANY_SHARD}: where there is room
   */
  record Split(
      PlacedSubtree subtree,
      byte @org.jspecify.annotations.Nullable [] at,
      int shard,
      long entries,
      Reason reason)
      implements PlannedChange {
    /** For people; the key in hexadecimal. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "Split[subtree=%s, at=%s, shard=%d, entries=%d, reason=%s]",
          subtree,
          at == null ? "half" : Keys.text(at),
          shard,
          entries,
          reason);
    }
  }

  /** All goes to a neighbour. */
  record Merge(PlacedSubtree subtree, boolean left, long entries, Reason reason)
      implements PlannedChange {}

  /** All goes to a new subtree in a shard. */
  record Move(PlacedSubtree subtree, int shard, long entries, Reason reason)
      implements PlannedChange {}
}
