package io.canopygrid.btree.catalog;

import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of what the subtrees of rows know of a table's indexes. */
public final class MarkBugs {
  /** Entries are created before the writers of rows have to know the index. */
  public static final Replacement ENTRIES_BEFORE_MARKS =
      Replacement.skipping(RowMarks.class, "require");

  /** The subtrees that a node's copy of the crown does not know are not marked. */
  public static final Replacement MARKS_BY_CROWN_ONLY =
      Replacement.returning(RowMarks.Marking.class, "isAll", true);

  private MarkBugs() {}
}
