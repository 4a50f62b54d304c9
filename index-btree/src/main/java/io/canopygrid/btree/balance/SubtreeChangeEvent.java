package io.canopygrid.btree.balance;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A change of an index's structure that this node has made, for Java Flight Recorder. */
@Name("io.canopygrid.SubtreeChange")
@Label("Change of a subtree")
@Category("Canopy")
@Description("A split, a merge or a move of a subtree, made by this node")
@StackTrace(false)
public final class SubtreeChangeEvent extends Event {
  @Label("Kind")
  @Description("SPLIT, MERGE or MOVE")
  String kind = "";

  @Label("Reason")
  @Description("GROWN, or as in the log of changes: ASKED, FEW, MANY, HOT, SPREAD, NEAR")
  String reason = "";

  @Label("Number of the index")
  int index;

  @Label("Subtree")
  long subtree;

  @Label("Entries")
  @Description("The entries of the subtree when it began")
  long entries;

  @Label("Ending")
  @Description("DONE, IN_THE_WAY or IMPOSSIBLE")
  String ending = "";

  /** A change that begins now, where somebody records. */
  public SubtreeChangeEvent() {
    begin();
  }

  /** The change is of this index. */
  public void of(int number) {
    index = number;
  }

  /** The change has ended. */
  public void ended(String what, String why, long kcl, long before, Reshaping.Ending how) {
    if (shouldCommit()) {
      kind = what;
      reason = why;
      subtree = kcl;
      entries = before;
      ending = how.name();
      commit();
    }
  }
}
