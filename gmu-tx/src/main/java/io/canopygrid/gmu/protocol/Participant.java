package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.TurnEnded;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.copy.LiveCounts;
import io.canopygrid.gmu.protocol.copy.ShardCopy;
import io.canopygrid.gmu.protocol.lock.LockRequest;
import io.canopygrid.gmu.protocol.lock.LockWaits;
import io.canopygrid.gmu.protocol.lock.Validation;
import io.canopygrid.gmu.protocol.read.ShardView;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.VersionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One shard at one of its owners or learners: votes as its primary, resolves decided transactions,
 * and takes the roles that topologies give it. {@link StoredShard} has what is stored. Confined to
 * the protocol lock, except {@link #view()} and {@link #live()}.
 */
final class Participant {
  private final int shard;
  private final NodeState node;
  private final StoredShard stored;
  private final ShardCopy copy;
  private final Map<TxId, TxRecord> records;
  private final IncomingState incoming;
  private @Nullable Term term;
  private long lastNumber;

  /**
   * @param synced whether the copy is complete: false for a learner, until it has the state
   */
  Participant(int shard, NodeState node, boolean synced) {
    this(shard, node, new StoredShard(shard, node, synced));
  }

  private Participant(int shard, NodeState node, StoredShard stored) {
    this.shard = shard;
    this.node = node;
    this.stored = stored;
    this.copy = stored.copy();
    this.records = stored.records();
    this.incoming = new IncomingState(node, stored);
  }

  /** With the copy that this node's disk has. */
  static Participant of(int shard, NodeState node, Recovered.Copy recovered) {
    return new Participant(shard, node, StoredShard.of(shard, node, recovered));
  }

  /** A learner with the copy that this node's disk has, of before the node came back. */
  static Participant resumed(int shard, NodeState node, Recovered.Copy recovered) {
    return new Participant(shard, node, StoredShard.resumed(shard, node, recovered));
  }

  int shard() {
    return shard;
  }

  /** The view that readers have; any thread. */
  ShardView view() {
    return stored.view();
  }

  /** Any thread. */
  LiveCounts live() {
    return stored.live();
  }

  boolean isSynced() {
    return stored.isSynced();
  }

  boolean isServing() {
    return term != null && term.isServing();
  }

  /** The highest number that this node knows to be given; where it serves, the last one. */
  long given() {
    long applied = copy.log().applied();
    return term == null ? applied : Math.max(applied, term.lastNumber());
  }

  boolean isQueued(TxId tid) {
    return term != null && term.queue().contains(tid);
  }

  /** The transactions prepared here and undecided. */
  Map<TxId, TxRecord> records() {
    return records;
  }

  // ---- reads

  void onRead(NodeId source, Read read) {
    Term t = Invariant.present(term, "asked to read, and not the primary");
    if (!t.mayBeGiven(read.clock().get(shard))) {
      t.reads().refuse(source, read);
      return;
    }
    t.reads().onRead(source, read);
    settle(t);
  }

  void onTurnEnded(NodeId source, TurnEnded ended) {
    Term t = Invariant.present(term, "no primary gives turns");
    t.reads().onTurnEnded(source, ended);
    settle(t);
  }

  /**
   * Answers reads that wait for a number at or below which nothing is pending: it is taken for
   * applied (Clocks from outside).
   */
  private void settle(Term t) {
    long number = t.settled();
    if (number > copy.log().applied()) {
      copy.log().raiseApplied(number);
      stored.publishApplied(isServing());
      t.reads().onApplied(number);
    }
  }

  /** Prepare: each replica stores the record; the primary also locks, validates and votes. */
  void onPrepare(TxRecord rec) {
    TxId tid = rec.tid();
    Refusal disk = node.disks().refusal(rec.footprint(), node.self());
    if (node.decisions().isTooLate(tid) || node.decisions().get(tid) != null) {
      node.refuse(tid, shard, Refusals.TOPOLOGY_CHANGED);
    } else if (disk != null && !records.containsKey(tid)) {
      node.refuse(tid, shard, disk);
    } else if (term == null) {
      stored.prepare(rec);
      node.accept(tid, shard);
    } else if (!term.isServing()) {
      term.park(rec, copy.isClosed());
    } else {
      Vote given = term.voteOf(tid);
      if (given != null) {
        term.give(rec, given);
      } else if (!records.containsKey(tid)) {
        stored.prepare(rec);
        wake(term, List.of(new LockRequest(rec)));
      }
    }
  }

  /** The time has come that was waited for. */
  void onTimer(Effect.Timer timer) {
    if (term != null && timer instanceof Effect.TurnTimer turn) {
      term.reads().onTurnTimer(turn.key());
      settle(term);
    } else if (term != null && timer instanceof Effect.LockTimer lock) {
      onLockTimeout(term, lock.tid());
    }
  }

  private void onLockTimeout(Term t, TxId tid) {
    LockWaits.Waiting waited = t.waits().remove(tid);
    if (waited != null) {
      refuse(tid, Term.inTheWay(AbortReason.LOCK_TIMEOUT, waited.obstacle()));
      wake(t, t.waits().takeBehind(tid));
    }
  }

  /** Tries requests, and those that waited behind one that is refused. */
  private void wake(Term t, List<LockRequest> freed) {
    ArrayDeque<LockRequest> turn = new ArrayDeque<>(freed);
    while (!turn.isEmpty()) {
      LockRequest request = turn.poll();
      TxId tid = request.rec().tid();
      Validation validation = new Validation(stored.latest().chains(), node.reading().fences());
      Refusal refusal = t.request(request, validation, copy.clocks());
      if (refusal != null) {
        t.release(tid, turn);
        refuse(tid, refusal);
      }
    }
  }

  private void refuse(TxId tid, Refusal refusal) {
    stored.forget(tid);
    node.refuse(tid, shard, refusal);
  }

  // ---- decide

  /** This node has decided a commit that is not applied yet: writes may follow it. */
  void onDecided(TxId tid, VectorClock clock) {
    if (term != null && term.expect(tid, clock)) {
      wake(term, term.waits().takeBehind(tid));
    }
  }

  /** Whether a commit must not be applied here yet, as it could be seen before it is stable. */
  boolean isHeldBack(boolean stable) {
    return !stable && term != null;
  }

  /** Resolves a decided transaction here (Decide); does nothing where it waits for its turn. */
  void resolve(TxRecord rec, @Nullable VectorClock clock) {
    TxId tid = rec.tid();
    Term t = term;
    if (t == null) {
      stored.resolveUnordered(rec, clock);
      return;
    }
    if (t.queue().isReady(tid)) {
      return;
    }
    records.remove(tid);
    ArrayDeque<LockRequest> freed = new ArrayDeque<>();
    if (clock == null) {
      stored.forget(tid);
      t.abort(tid);
      t.release(tid, freed);
      t.reads().onResolved(rec, false);
    } else if (t.queue().contains(tid)) {
      t.decide(tid, clock);
      freed.addAll(t.waits().takeBehind(tid));
    } else {
      // Only read here, or inherited by a primary that does not serve yet.
      stored.apply(rec, clock);
      publish();
      t.release(tid, freed);
    }
    drain(t, freed);
  }

  /** Applies the head of the queue as long as all of it is ready, each head in one step. */
  private void drain(Term t, ArrayDeque<LockRequest> freed) {
    for (List<CommitQueue.Entry> head = t.queue().pollDecided();
        !head.isEmpty();
        head = t.queue().pollDecided()) {
      for (CommitQueue.Entry entry : head) {
        stored.apply(entry.rec(), entry.clock());
        node.applied(entry.rec(), shard);
      }
      stored.publishApplied(isServing());
      for (CommitQueue.Entry entry : head) {
        TxId tid = entry.rec().tid();
        t.release(tid, freed);
        node.onApplied(tid, shard, stored.restsOn());
      }
      head.forEach(entry -> t.reads().onResolved(entry.rec(), true));
      t.reads().onApplied(copy.log().applied());
    }
    wake(t, new ArrayList<>(freed));
    settle(t);
    checkTakeover();
  }

  // ---- topology

  /** A topology is installed: requests that will come again are forgotten, or refused. */
  void onTopology() {
    if (term != null) {
      term.onTopology();
      term.takeParked().forEach(rec -> node.refuse(rec.tid(), shard, Refusals.TOPOLOGY_CHANGED));
    }
  }

  /** This node is the shard's primary, newly or still. */
  void lead() {
    Invariant.holds(stored.isSynced(), "a primary without the state: shard %s", shard);
    if (term == null) {
      term = new Term(shard, node, lastNumber, stored);
    } else {
      term.beginEpoch();
    }
    publish();
    dropDelegated(term);
  }

  /**
   * Drops the commits that were delegated in an older topology and wait still (Delegation): their
   * coordinators ask again in the new one.
   */
  void dropDelegated(Term t) {
    List<LockRequest> freed = new ArrayList<>();
    List<TxId> dropped = t.dropDelegated(freed);
    dropped.forEach(stored::forget);
    wake(t, freed);
  }

  /**
   * This node is not the primary (any more): what waits is refused, what is ready is applied, and
   * what is pending becomes a backup's record again (Term's end).
   */
  void endTerm() {
    Term t = term;
    if (t == null) {
      return;
    }
    term = null;
    t.reads().clear();
    lastNumber = t.lastNumber();
    for (LockRequest waiting : t.waits().all()) {
      refuse(waiting.rec().tid(), Refusals.TOPOLOGY_CHANGED);
    }
    for (TxRecord rec : records.values()) {
      if (t.endsWith(rec)) {
        node.refuse(rec.tid(), shard, Refusals.TOPOLOGY_CHANGED);
      }
    }
    applyReady(t);
    resolveHeldBack();
    publish();
  }

  /** Applies what is ready (Term's end). */
  void applyReady(Term t) {
    for (CommitQueue.Entry entry : t.queue().ready()) {
      stored.apply(entry.rec(), entry.clock());
      node.onApplied(entry.rec().tid(), shard, Long.MAX_VALUE);
    }
  }

  /** Resolves decisions that were known and only must not be seen yet: a backup is not read. */
  private void resolveHeldBack() {
    for (TxRecord rec : List.copyOf(records.values())) {
      Decision known = node.decisions().get(rec.tid());
      if (known != null) {
        resolve(rec, known.clock());
      }
    }
  }

  /**
   * Serves, once the flush is complete and each record inherited is decided, and starts an epoch
   * (Taking over).
   */
  void checkTakeover() {
    Term t = term;
    if (t == null || !t.mayServe(copy, records)) {
      return;
    }
    t.serve();
    publish();
    t.takeParked().forEach(this::onPrepare);
    t.reads().onApplied(copy.log().applied());
    settle(t);
    answerState();
  }

  /** The primary says that up to a number every owner has all commits. */
  void onWatermark(long number) {
    if (stored.raiseWatermark(number)) {
      stored.publishApplied(isServing());
      if (incoming.waitsForWatermark()) {
        keepWatermark();
      }
    }
  }

  private void keepWatermark() {
    stored.keepWatermark(knownUpTo(), incoming::onForced);
  }

  /** Up to which number this copy has all commits, as far as this node knows (Coming back). */
  long knownUpTo() {
    return term == null ? stored.completeUpTo() : completeUpTo();
  }

  /** As {@link StoredShard#forcedUpTo}. */
  long forcedUpTo() {
    return stored.forcedUpTo();
  }

  /** Up to which number every owner has all commits; 0: this node does not serve the shard. */
  long completeUpTo() {
    Term t = term;
    if (t == null || !t.isServing()) {
      return 0;
    }
    long applied = view().log().applied();
    // A cut must not end at a shard without commits (Cuts).
    long closed = node.changes().isForcedLater() ? t.closedUpTo() : 0;
    return node.decisions().completeUpTo(shard, Math.max(applied, closed));
  }

  // ---- a learner's state

  /** A learner in this topology: says that its copy is complete, or asks for the state. */
  void join() {
    if (stored.isSynced()) {
      incoming.saySynced();
    } else {
      incoming.ask();
    }
  }

  /** At times. */
  void tick() {
    if (term != null && term.isServing() && node.changes().isForcedLater()) {
      // A watermark must reach what clocks name, or the horizon would not (Cuts).
      term.hear(Math.min(node.horizon().floor().get(shard), node.epochEnd()));
    }
    keepWatermark();
    if (term != null) {
      term.reads().tick();
      settle(term);
    }
    incoming.askAgain();
  }

  void onStateRequest(NodeId learner, StateRequest request) {
    Term t = Invariant.present(term, "asked for the state, and not the primary");
    t.onStateRequest(learner, request);
    answerState();
  }

  /**
   * Sends the state to the learners that asked, once this node serves and its flush is complete.
   */
  void answerState() {
    if (term != null && term.isServing() && node.flush().isComplete()) {
      term.answerState(copy, records.values());
    }
  }

  /** A learner's state, on its way here. */
  IncomingState incoming() {
    return incoming;
  }

  /** Drops what is below the horizon. */
  void prune() {
    if (stored.prune()) {
      if (term != null) {
        publish();
      } else {
        stored.publishIfTop();
      }
    }
  }

  /** The disk has told values that a read waits for. */
  void onLoaded(long number, Map<VersionId, byte[]> values) {
    if (term != null) {
      term.reads().onLoaded(number, values);
      if (copy.warm(values)) {
        publish();
      }
      settle(term);
    }
  }

  /** The disk has told some versions of a closed copy, or the last ones. */
  void onOpened(List<KeyVersions> versions, boolean last) {
    copy.takeStored(versions, last);
    if (last) {
      stored.prune();
      publish();
      checkTakeover();
    }
  }

  /** The content, for eviction. */
  StoredShard stored() {
    return stored;
  }

  /** Shows readers what is there now. */
  void publish() {
    stored.publish(isServing());
  }

  ProtocolStatus.Shard status() {
    Term t = term;
    return new ProtocolStatus.Shard(
        shard,
        t != null,
        isServing(),
        stored.isSynced(),
        copy.isClosed(),
        records.size(),
        t == null ? 0 : t.queue().size(),
        t == null ? 0 : t.locks().size(),
        t == null ? 0 : t.waiting(),
        t == null ? 0 : t.reads().size(),
        copy.log().size());
  }
}
