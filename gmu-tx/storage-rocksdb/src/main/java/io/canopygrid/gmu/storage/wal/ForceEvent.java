package io.canopygrid.gmu.storage.wal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A force of the log to the disk, for Java Flight Recorder. */
@Name("io.canopygrid.JournalForce")
@Label("Force of the journal")
@Category("Canopy")
@Description("The write-ahead log was forced to the disk, with the wait for another force")
@StackTrace(false)
@Threshold("1 ms")
final class ForceEvent extends Event {
  @Label("Segment")
  long segment;

  @Label("Position")
  @Description("The number of the last change in the log")
  long position;

  void ended(long number, long at) {
    if (shouldCommit()) {
      segment = number;
      position = at;
      commit();
    }
  }
}
