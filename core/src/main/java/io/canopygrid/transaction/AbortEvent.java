package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An aborted attempt, for Java Flight Recorder. */
@Name("io.canopygrid.Abort")
@Label("Abort")
@Category("Canopy")
@Description("An attempt of a transaction that ended without a commit")
@StackTrace(false)
public final class AbortEvent extends Event {
  @Label("Error code")
  String code = "";

  @Label("Index")
  @Description("The index of the conflict; empty: it is not known, or there is none")
  String index = "";

  @Label("Transaction label")
  String label = "";

  @Label("Label of the other transaction")
  String other = "";

  @Label("Transaction")
  String transaction = "";

  private AbortEvent() {}

  /** Records one where somebody records. */
  public static void record(String label, CanopyException why) {
    AbortEvent event = new AbortEvent();
    if (event.shouldCommit()) {
      String id = why.transactionId();
      event.code = why.code().id();
      event.index = why.facts().getOrDefault("index", "");
      event.label = label;
      event.other = why.facts().getOrDefault("other", "");
      event.transaction = id == null ? "" : id;
      event.commit();
    }
  }
}
