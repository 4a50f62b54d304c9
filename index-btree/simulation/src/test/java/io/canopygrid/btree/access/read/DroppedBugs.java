package io.canopygrid.btree.access.read;

import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of snapshots that are older than a drop. */
public final class DroppedBugs {
  /** A snapshot does not search its own crown. */
  public static final Replacement OWN_CROWN_UNUSED =
      Replacement.returning(DroppedIndexes.class, "subtreeBelow", SubtreeHeader.NONE);

  /** A snapshot does not ask which index had the name in it. */
  public static final Replacement PREDECESSOR_UNKNOWN =
      Replacement.returning(DroppedIndexes.class, "searchBefore", false);

  private DroppedBugs() {}
}
