package io.canopygrid.btree.catalog;

import io.canopygrid.gmu.protocol.Replacement;
import java.util.List;

/** Broken rules of drops in the catalog. */
public final class DropBugs {
  /** The number of no index. */
  private static final int NO_ROWS = 1 << 30;

  /** An attempt drops whichever index has the name by then. */
  public static final Replacement RETRY_DROPS_NEW =
      Replacement.replacing(IndexDrops.Found.class, "upTo", Replacement.Call::self);

  /** Entries are created whatever the table's definitions say. */
  public static final Replacement ENTRIES_OF_ANY_TABLE =
      Replacement.returning(
          BuildingEntries.class, "check", new BuildingEntries.Checked(NO_ROWS, List.of()));

  /** An index is created though writers may still go into a former one of its name. */
  public static final Replacement FORMER_UNMARKED =
      Replacement.returning(FormerIndexes.class, "areMarked", true);

  private DropBugs() {}
}
