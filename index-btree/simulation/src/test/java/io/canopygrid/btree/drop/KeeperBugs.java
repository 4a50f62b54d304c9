package io.canopygrid.btree.drop;

import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of what is done with the subtrees of dropped indexes. */
public final class KeeperBugs {
  /** A drop returns before anything is marked. */
  public static final Replacement NOT_MARKED = Replacement.skipping(DropKeeper.class, "mark");

  /** A subtree counts as empty. */
  public static final Replacement NOT_EMPTIED =
      Replacement.returning(DropTransactions.class, "empty", true);

  /** Nobody takes anything away. */
  public static final Replacement NOT_TAKEN_AWAY =
      Replacement.skipping(DropKeeper.class, "takeAway");

  private KeeperBugs() {}
}
