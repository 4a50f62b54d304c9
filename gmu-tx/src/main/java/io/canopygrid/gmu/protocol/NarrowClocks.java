package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import io.canopygrid.gmu.protocol.membership.FlushRound;
import io.canopygrid.gmu.protocol.read.LocalRead;
import java.util.function.BooleanSupplier;

/**
 * The parts of clocks that go into messages whose receivers have the rest, or do not need it
 * (protocol.md, Clocks in messages). Confined to the protocol lock, except {@link #allow}.
 */
final class NarrowClocks {
  private final HorizonTracker horizon;
  private final FlushRound flush;

  /** Whether the grid has them: a host says so where it is not sure. */
  private volatile BooleanSupplier allowed = () -> true;

  NarrowClocks(HorizonTracker horizon, FlushRound flush) {
    this.horizon = horizon;
    this.flush = flush;
  }

  /** Whether all nodes know clocks that name a part only; any thread. */
  void allow(BooleanSupplier all) {
    allowed = all;
  }

  /**
   * Whether a read at a clock may be asked with a part of it. A clock that is not above the horizon
   * is for the shard's primary to refuse. No horizon of this topology is above what this node has
   * reported, and before the flush is complete it may not know those of earlier ones.
   */
  boolean mayAsk(VectorClock clock) {
    return allowed.getAsBoolean() && flush.isComplete() && isAboveHorizon(clock);
  }

  private boolean isAboveHorizon(VectorClock clock) {
    return horizon.reported().precedesOrEquals(clock);
  }

  /** The components on which the answer of a shard depends. */
  VectorClock asked(VectorClock clock, int shard, ShardSet hasRead) {
    return clock.on(hasRead, shard);
  }

  /**
   * Whether a read has its whole clock, so that its primary looks whether that is above the
   * horizon. A snapshot that was named, or is of the past, has read all shards, and its pin may be
   * dropped while it is in use.
   */
  boolean isWhole(VectorClock asked, VectorClock clock) {
    return asked.size() == clock.size();
  }

  /** The clock of an answer, for whoever has asked. */
  VectorClock answered(Read asked, LocalRead answer) {
    return asked.whole() ? answer.clock() : beyond(asked.clock(), answer);
  }

  /** A reader's clock is above the horizon, and above what it asked with. */
  private VectorClock beyond(VectorClock asked, LocalRead answer) {
    VectorClock news = answer.clock().beyond(asked).beyond(known());
    long number = answer.clock().get(answer.shard());
    return number == 0 ? news : news.with(answer.shard(), number);
  }

  /** A clock that is at or below that of every transaction that may be answered. */
  private VectorClock known() {
    return horizon.horizon();
  }

  /** The word that a commit is done, for a coordinator that has the snapshot's clock. */
  Vote committed(Vote whole, VectorClock snapshot) {
    VectorClock clock = whole.clock();
    return clock == null || !allowed.getAsBoolean()
        ? whole
        : new Vote(
            whole.tid(),
            whole.shard(),
            whole.topology(),
            clock.beyond(snapshot),
            whole.refusal(),
            whole.complete());
  }
}
