package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Message.Ack;
import io.canopygrid.gmu.protocol.Message.Refusal;
import io.canopygrid.gmu.protocol.Message.Vote;
import io.canopygrid.gmu.store.OrderedStore;
import org.jspecify.annotations.Nullable;

/** What the roles of one node share. */
record NodeState(
    NodeId self,
    Outbox outbox,
    Placements placements,
    Decisions decisions,
    FlushRound flush,
    HorizonTracker horizon,
    OrderedStore.Factory stores,
    ReadRules reading) {

  Rules rules() {
    return reading.rules();
  }

  /** Whether all is known that other members may have seen (Taking over). */
  boolean isFlushed() {
    boolean ofAll = rules().takeoverAwaitsKeptBack() ? flush.isSettled() : flush.isDone();
    return flush.isComplete() && (ofAll || !rules().awaitsFlushOfAll(config()));
  }

  /** The number right below the first one of the epoch of this topology. */
  long epochStart() {
    return config().epochStart(placements.id());
  }

  ProtocolConfig config() {
    return reading.config();
  }

  /** Tells a coordinator yes; the clock is a serving primary's. */
  void accept(TxId tid, int shard, @Nullable VectorClock clock) {
    vote(new Vote(tid, shard, placements.id(), clock, null));
  }

  /** Tells a coordinator no. */
  void refuse(TxId tid, int shard, Refusal refusal) {
    vote(new Vote(tid, shard, placements.id(), null, refusal));
  }

  /** Gives a vote again. */
  void vote(Vote vote) {
    outbox.send(vote.tid().coordinator(), vote);
  }

  /** Tells a coordinator that its decision is known, and perhaps applied. */
  void acknowledge(NodeId coordinator, TxId tid, int shard, boolean applied) {
    outbox.send(coordinator, new Ack(tid, shard, placements.id(), applied));
  }
}
