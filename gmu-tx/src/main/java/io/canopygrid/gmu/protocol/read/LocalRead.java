package io.canopygrid.gmu.protocol.read;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ReadAnswer;

/** A shard's answer and the snapshot's clock after it. */
public record LocalRead(int shard, VectorClock clock, ReadAnswer answer) {
  /**
   * Whether this is what the shard would have said to a snapshot that has taken the others' answers
   * before: only then it is kept (Several reads at a time).
   *
   * @param taken the clock of the snapshot that has taken the others' answers
   * @param hasRead the shards of those
   */
  public boolean agrees(VectorClock taken, ShardSet hasRead) {
    return showsNoMore(taken, hasRead) && showsNoLess(taken);
  }

  /** Whether it shows nothing that the other answers do not. */
  boolean showsNoMore(VectorClock taken, ShardSet hasRead) {
    return clock.precedesOrEqualsOn(hasRead, taken);
  }

  /** Whether it shows all of this shard that the other answers do. */
  boolean showsNoLess(VectorClock taken) {
    return taken.get(shard) <= clock.get(shard);
  }
}
