package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReadQuery.Turn;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.copy.EntryRoom;
import io.canopygrid.gmu.protocol.copy.Removals;
import io.canopygrid.gmu.protocol.garbage.Decisions;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import io.canopygrid.gmu.protocol.hot.HotStreams;
import io.canopygrid.gmu.protocol.membership.FlushRound;
import io.canopygrid.gmu.protocol.membership.KnownCuts;
import io.canopygrid.gmu.protocol.membership.Placements;
import io.canopygrid.gmu.protocol.read.ReadContext;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StepChanges;
import java.util.HashSet;
import java.util.Set;

/**
 * The state that the roles of one node share.
 *
 * @param hot the entries that are read most here, and what keepers were told of them
 * @param decidedHere the transactions that other nodes have delegated to this one
 * @param hotKeys those of shards served here at which turns are taken; any thread may look
 * @param disks the members whose disks have no room or are slow
 * @param removals the keys that are gone from the copies here
 * @param cuts those that the grid has made after power cuts; any thread may look
 * @param memory that the entries of all copies here take
 * @param clocks what messages have of them
 * @param openings of copies that are closed
 */
record NodeState(
    NodeId self,
    ProtocolConfig config,
    Outbox outbox,
    Placements placements,
    Decisions decisions,
    FlushRound flush,
    HorizonTracker horizon,
    OrderedStore.Factory stores,
    ReadContext reading,
    HotStreams hot,
    Set<TxId> decidedHere,
    HotKeys hotKeys,
    TroubledDisks disks,
    Removals removals,
    KnownCuts cuts,
    EntryRoom memory,
    NarrowClocks clocks,
    Openings openings) {
  NodeState(
      NodeId self,
      ProtocolConfig config,
      Outbox outbox,
      Placements placements,
      Decisions decisions,
      FlushRound flush,
      HorizonTracker horizon,
      OrderedStore.Factory stores,
      ReadContext reading,
      HotStreams hot,
      EntryRoom memory) {
    this(
        self,
        config,
        outbox,
        placements,
        decisions,
        flush,
        horizon,
        stores,
        reading,
        hot,
        new HashSet<>(),
        new HotKeys(),
        new TroubledDisks(),
        new Removals(outbox.changes().isKept() ? config.removalBytes() : 0),
        new KnownCuts(),
        memory,
        new NarrowClocks(horizon, flush),
        new Openings(outbox, memory, placements::isPrimary));
  }

  /** Begins with what the disk has, and with all that was seen on any disk. */
  void restore(Recovered recovered, VectorClock seen) {
    decisions.restore(recovered);
    horizon.raise(recovered.horizon());
    beginAbove(seen);
  }

  /**
   * Transactions begin above all that was seen, also above what was merged only in memory: a commit
   * that has only read a shard leaves nothing on its disks.
   */
  void beginAbove(VectorClock seen) {
    horizon.raiseFloor(seen);
  }

  /** The collector of what the present step changes of what is stored. */
  StepChanges changes() {
    return outbox.changes();
  }

  /** Whether a read here waits for its turn; any thread may ask. */
  boolean waitsForTurn(ReadQuery query, ShardSet hasRead) {
    if (!(query instanceof ReadQuery.Get get)) {
      return false;
    }
    return switch (get.turn()) {
      case NONE -> false;
      case BEHIND_OTHERS -> hasRead.isEmpty() && hotKeys.contains(get.key());
      case OWN -> true;
    };
  }

  // ---- hot entries

  /** A primary here is asked to read: counts that, unless the read has waited for its turn. */
  void asked(ReadQuery query, int shard) {
    if (query instanceof ReadQuery.Get get && get.turn() != Turn.OWN && !get.key().isHeader()) {
      countHot(get.key(), shard, 1);
    }
  }

  /** Counts reads of a primary's key here; where it has become hot, a push is due. */
  void countHot(CompositeKey key, int shard, long reads) {
    if (hot.read(key, reads, placements.members().size(), outbox.nowNanos())) {
      pushSoon(shard);
    }
  }

  /** A primary here has applied a commit. */
  void applied(TxRecord rec, int shard) {
    reading.traffic().applied(rec);
    if (hot.applied(shard)) {
      pushSoon(shard);
    }
  }

  private void pushSoon(int shard) {
    long at = outbox.nowNanos() + hot.pushNanos(placements.members().size());
    outbox.emit(new Effect.WakeAt(at, new Effect.HotTimer(shard)));
  }

  // ---- what may be seen

  /**
   * Whether a commit that all owners of this topology have may be told and seen: where nodes store
   * what they have, only once all members have stored the topology. Else a grid that is founded
   * from disks without this one's would go by the owners of before.
   */
  boolean mayTell() {
    return !changes().isKept() || flush.isComplete();
  }

  /** Whether all is known that other members may have seen (Taking over). */
  boolean isFlushed() {
    return flush.isComplete() && (flush.isResolved() || !awaitsFlushOfAll());
  }

  /**
   * Whether what was learnt in a flush, and what is taken over, is seen only when all members have
   * resolved the flush (Several failures at once). So it is where nodes have disks: what one of
   * them alone has decided, and its disk has, is told to the others only in the flush.
   */
  boolean awaitsFlushOfAll() {
    return config.failuresAtOnce() > 1 || changes().isKept();
  }

  /** The number right below the first one of the epoch of this topology. */
  long epochStart() {
    return config.epochStart(placements.id());
  }

  /** The last number of the epoch of this topology. */
  long epochEnd() {
    return config.epochEnd(placements.id());
  }

  /** Whether another node has delegated a record's transaction to this one (Delegation). */
  boolean isDelegatedHere(TxRecord rec) {
    return rec.onePhase() && !rec.tid().coordinator().equals(self);
  }

  /** The node that decides a transaction: its coordinator, or this one where it is delegated. */
  private NodeId decider(TxId tid) {
    return decidedHere.contains(tid) ? self : tid.coordinator();
  }

  /** A backup's or learner's word that it has a record. */
  void accept(TxId tid, int shard) {
    vote(new Vote(tid, shard, placements.id(), null, null, 0));
  }

  /** Votes no: that promises nothing. */
  void refuse(TxId tid, int shard, Refusal refusal) {
    reading.traffic().refused(refusal);
    outbox.sendNow(decider(tid), new Vote(tid, shard, placements.id(), null, refusal, 0));
  }

  /** Votes where nobody relies on the vote but this node itself, which decides (One phase). */
  void voteOnePhase(Vote vote) {
    outbox.sendNow(decider(vote.tid()), vote);
  }

  /** Gives a vote to the node that decides. */
  void vote(Vote vote) {
    outbox.send(decider(vote.tid()), vote);
  }

  /**
   * A commit's turn has come, and it is applied: the node that has decided it is told so, once it
   * can be seen.
   *
   * @param restsOn the last position that must be stored before that
   */
  void onApplied(TxId tid, int shard, long restsOn) {
    outbox.send(decider(tid), new Ack(tid, shard, placements.id(), true), restsOn);
    decisions.onApplied(tid);
  }

  /** Tells the sender of a decision that it is known, and perhaps applied. */
  void acknowledge(NodeId source, TxId tid, int shard, boolean applied) {
    outbox.send(source, new Ack(tid, shard, placements.id(), applied));
  }
}
