package io.canopygrid.transaction;

import io.canopygrid.engine.EngineTransaction;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A committed transaction that was slow, for Java Flight Recorder. */
@Name("io.canopygrid.Commit")
@Label("Slow commit")
@Category("Canopy")
@Description("A committed transaction, all attempts together, above the threshold")
@StackTrace(false)
@Threshold("20 ms")
public final class CommitEvent extends Event {
  @Label("Transaction label")
  String label = "";

  @Label("Attempts")
  int attempts;

  @Label("Remote requests")
  @Description("Requests of the last attempt that waited for another node or for a server")
  int remoteRequests;

  @Label("Transaction")
  String transaction = "";

  private CommitEvent() {}

  /** A transaction begins; null where nobody records. */
  public static @Nullable CommitEvent begun() {
    CommitEvent event = new CommitEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  /** The transaction has committed. */
  public void committed(String by, int inAttempts, EngineTransaction committed) {
    end();
    if (shouldCommit()) {
      label = by;
      attempts = inAttempts;
      remoteRequests = committed.remoteRequests();
      transaction = committed.id();
      commit();
    }
  }
}
