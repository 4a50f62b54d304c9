package io.canopygrid.gmu.protocol;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A round of eviction, for Java Flight Recorder, which alone knows for how long it took. */
@Name("io.canopygrid.Eviction")
@Label("Eviction round")
@Category("Canopy")
@Description("Values leave memory, as entries take more than they may; the disk keeps them")
@StackTrace(false)
final class EvictionEvent extends Event {
  @Label("Values that left")
  int values;

  @Label("Bytes of entries after the round")
  long bytes;

  @Label("Bytes that entries may take")
  long bytesMax;

  void ended(int left, long now, long most) {
    if (shouldCommit()) {
      values = left;
      bytes = now;
      bytesMax = most;
      commit();
    }
  }
}
