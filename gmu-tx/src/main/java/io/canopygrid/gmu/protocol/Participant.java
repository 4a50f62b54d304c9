package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.Settled;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.TurnEnded;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.Vote;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One shard at one of its owners or joiners: stores records, votes, applies decisions, serves
 * reads. Confined to the lane, except {@link #view()} and {@link #live()}.
 */
final class Participant {
  /** Stands in for a reason where the topology is the reason. */
  static final Refusal TOPOLOGY_CHANGED =
      new Refusal(AbortReason.TOPOLOGY_CHANGED, null, null, null, null);

  private final int shard;
  private final NodeState node;
  private final ShardCopy copy;
  private final Map<TxId, TxRecord> records = new LinkedHashMap<>();
  private final StateChunks incoming = new StateChunks();
  private @Nullable Term term;
  private boolean synced;
  private long lastNumber;

  /** A backup's: up to here no commit is missing, nor will one come. It never goes back. */
  private long watermark;

  private volatile ShardView view;

  /**
   * @param synced whether the copy is complete: false for a joiner, until it has the state
   */
  Participant(int shard, NodeState node, boolean synced) {
    this.shard = shard;
    this.node = node;
    this.copy = new ShardCopy(shard, node.stores());
    this.synced = synced;
    this.view = newView();
  }

  int shard() {
    return shard;
  }

  /** What was published last; any thread. */
  ShardView view() {
    return view;
  }

  /** Any thread. */
  LiveCounts live() {
    return copy.live();
  }

  boolean isSynced() {
    return synced;
  }

  boolean isServing() {
    return term != null && term.isServing();
  }

  boolean isQueued(TxId tid) {
    return term != null && term.queue().contains(tid);
  }

  VectorClock mostRecent() {
    return copy.mostRecent();
  }

  /** The transactions prepared here and undecided. */
  Map<TxId, TxRecord> records() {
    return records;
  }

  // ---- reads

  void onRead(NodeId source, Read read) {
    Invariant.present(term, "asked to read, and not the primary").reads().onRead(source, read);
  }

  void onTurnEnded(NodeId source, TurnEnded ended) {
    Invariant.present(term, "no primary gives turns").reads().onTurnEnded(source, ended);
  }

  // ---- prepare

  /** Prepare: everyone stores the record, the primary locks, validates and votes. */
  void onPrepare(TxRecord rec) {
    TxId tid = rec.tid();
    if (node.decisions().isTooLate(tid) || node.decisions().get(tid) != null) {
      node.refuse(tid, shard, TOPOLOGY_CHANGED);
    } else if (term == null) {
      records.put(tid, rec);
      node.accept(tid, shard, null);
    } else if (!term.isServing()) {
      term.parked().add(rec);
    } else {
      Vote given = term.voteOf(tid);
      if (given != null) {
        node.vote(given);
      } else if (records.putIfAbsent(tid, rec) == null) {
        wake(term, List.of(new LockRequest(rec)));
      }
    }
  }

  /** It is the time that was waited for. */
  void onTimer(Effect.Timer timer) {
    if (term != null && timer instanceof Effect.TurnTimer turn) {
      term.reads().onTurnTimer(turn.key());
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
      Validation validation = new Validation(view.chains(), node.reading().fences());
      Refusal refusal = t.request(request, validation, copy.mostRecent());
      if (refusal != null) {
        t.release(tid, turn);
        refuse(tid, refusal);
      }
    }
  }

  private void refuse(TxId tid, Refusal refusal) {
    records.remove(tid);
    node.refuse(tid, shard, refusal);
  }

  // ---- decide

  /** Whether a commit must not be applied here yet, as it could be seen before it is stable. */
  boolean isHeldBack(boolean stable) {
    return !stable && term != null;
  }

  /** Settles a decided transaction here (Decide); does nothing where it waits for its turn. */
  void settle(TxRecord rec, @Nullable VectorClock clock) {
    TxId tid = rec.tid();
    Term t = term;
    if (t == null) {
      records.remove(tid);
      apply(rec, clock);
      publishIfRead();
      return;
    }
    if (t.queue().isReady(tid)) {
      return;
    }
    records.remove(tid);
    ArrayDeque<LockRequest> freed = new ArrayDeque<>();
    if (clock == null) {
      t.abort(tid);
      t.release(tid, freed);
      t.reads().onSettled(rec, false);
    } else if (t.queue().contains(tid)) {
      t.decide(tid, clock);
    } else {
      // Only read here, or inherited by a primary that does not serve yet.
      apply(rec, clock);
      publish();
      t.release(tid, freed);
    }
    drain(t, freed);
  }

  private void apply(TxRecord rec, @Nullable VectorClock clock) {
    if (clock != null) {
      copy.apply(rec, clock);
    }
  }

  /** Applies the head of the queue as long as all of it is ready, each head in one step. */
  private void drain(Term t, ArrayDeque<LockRequest> freed) {
    for (List<CommitQueue.Entry> head = t.queue().pollDecided();
        !head.isEmpty();
        head = t.queue().pollDecided()) {
      for (CommitQueue.Entry entry : head) {
        copy.apply(entry.rec(), entry.clock());
        node.reading().traffic().applied(entry.rec());
      }
      publish();
      for (CommitQueue.Entry entry : head) {
        TxId tid = entry.rec().tid();
        t.release(tid, freed);
        node.acknowledgeApplied(tid, shard);
      }
      head.forEach(entry -> t.reads().onSettled(entry.rec(), true));
      t.reads().onApplied(copy.log().applied());
    }
    wake(t, new ArrayList<>(freed));
    checkTakeover();
  }

  // ---- topology

  /** A topology is installed: what will be asked again is forgotten, or refused. */
  void onTopology() {
    if (term != null) {
      term.onTopology();
      List<TxRecord> parked = List.copyOf(term.parked());
      term.parked().clear();
      parked.forEach(rec -> node.refuse(rec.tid(), shard, TOPOLOGY_CHANGED));
    }
  }

  /** This node is the shard's primary, newly or still. */
  void lead() {
    Invariant.holds(synced, "a primary without the state: shard %s", shard);
    if (term == null) {
      term = new Term(shard, node, lastNumber, this::view);
    } else {
      term.beginEpoch();
    }
    publish();
    dropDelegated(term);
  }

  /**
   * What was delegated in an older topology and waits still is not decided any more (Delegation):
   * its coordinator asks again in the new one.
   */
  void dropDelegated(Term t) {
    List<LockRequest> freed = new ArrayList<>();
    List<TxId> dropped = t.dropDelegated(freed);
    records.keySet().removeAll(dropped);
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
      refuse(waiting.rec().tid(), TOPOLOGY_CHANGED);
    }
    for (TxRecord rec : records.values()) {
      if (t.endsWith(rec)) {
        node.refuse(rec.tid(), shard, TOPOLOGY_CHANGED);
      }
    }
    applyReady(t);
    settleHeldBack();
    publish();
  }

  /** Applies what is ready (Term's end). */
  void applyReady(Term t) {
    for (CommitQueue.Entry entry : t.queue().ready()) {
      copy.apply(entry.rec(), entry.clock());
      node.acknowledgeApplied(entry.rec().tid(), shard);
    }
  }

  /** What was known, and only must not be seen here yet: a backup is not read. */
  private void settleHeldBack() {
    for (TxRecord rec : List.copyOf(records.values())) {
      Decision known = node.decisions().get(rec.tid());
      if (known != null) {
        settle(rec, known.clock());
      }
    }
  }

  /**
   * Serves, once the flush is complete and each record inherited is decided, and starts an epoch
   * (Taking over).
   */
  void checkTakeover() {
    Term t = term;
    if (t == null || !t.mayServe(records)) {
      return;
    }
    t.serve();
    publish();
    List<TxRecord> parked = List.copyOf(t.parked());
    t.parked().clear();
    parked.forEach(this::onPrepare);
    t.reads().onApplied(copy.log().applied());
    answerState();
  }

  // ---- reads at backups

  /** The primary says that up to a number every owner has all commits. */
  void onWatermark(long number) {
    if (number > watermark) {
      watermark = number;
      publish();
    }
  }

  // ---- a joiner's state

  /** Asks the primary for the state. */
  void askForState() {
    NodeId primary = node.placements().primary(shard);
    if (primary != null) {
      long topology = node.placements().id();
      long request = incoming.ask(topology, node.outbox().nowNanos());
      node.outbox().send(primary, new StateRequest(topology, shard, request));
    }
  }

  /** At times. */
  void tick() {
    if (term != null) {
      term.reads().tick();
    }
    askAgainForState();
  }

  /** Asks again where nothing came for long (Lost messages). */
  void askAgainForState() {
    if (!synced && incoming.isOverdue(node.outbox().nowNanos(), node.config().stateResendNanos())) {
      askForState();
    }
  }

  void onStateRequest(NodeId joiner, StateRequest request) {
    Invariant.present(term, "asked for the state, and not the primary")
        .onStateRequest(joiner, request);
    answerState();
  }

  /** Sends the state to those who asked, once this node serves and its flush is complete. */
  void answerState() {
    Term t = term;
    if (t == null || !t.isServing() || !node.flush().isComplete()) {
      return;
    }
    for (Map.Entry<NodeId, StateRequest> asked : t.takeStateRequests().entrySet()) {
      List<Settled> settled = t.settled(records.values());
      int bytes = node.config().stateChunkBytes();
      for (State s : StateChunks.of(copy, settled, shard, asked.getValue(), bytes)) {
        node.outbox().send(asked.getKey(), s);
      }
    }
  }

  /** Merges a state by number and transaction. */
  void onState(State state) {
    if (synced || !isOfThisTopology(state)) {
      return;
    }
    for (State chunk : incoming.inOrder(state, node.outbox().nowNanos())) {
      copy.mergeLog(chunk.log(), chunk.applied(), chunk.mostRecent());
      records.keySet().removeAll(incoming.over(chunk));
      chunk.records().forEach(this::takeOver);
      copy.mergeChains(chunk.chains(), chunk.applied(), incoming.takenUpTo(), chunk.last());
      incoming.took(chunk);
      if (chunk.last()) {
        synced = true;
        prune();
        publishIfRead();
        saySynced();
      }
    }
  }

  /**
   * Whether a state is of this topology: it counts only in the one in which it was asked for
   * (Joining). An older one can have records that the flush has settled meanwhile; it was asked for
   * again.
   */
  boolean isOfThisTopology(State state) {
    return state.topology() == node.placements().id();
  }

  private void takeOver(Settled settled) {
    TxRecord rec = settled.record();
    Decision known = node.decisions().get(rec.tid());
    VectorClock clock = settled.clock();
    if (clock == null && known != null) {
      clock = known.clock();
    }
    if (clock != null) {
      settle(rec, clock);
    } else if (known == null && !node.decisions().isDone(rec.tid())) {
      records.putIfAbsent(rec.tid(), rec);
    }
  }

  /** Says, in each topology, that this joiner's copy is complete. */
  void saySynced() {
    node.outbox().emit(new Effect.Synced(node.placements().id(), shard));
  }

  /** The records of the copy that this one replaces. */
  void inherit(Participant before) {
    records.putAll(before.records);
    incoming.inherit(before.records.keySet());
  }

  // ---- garbage

  /** Drops what is below the horizon. */
  void prune() {
    if (mayDrop() && copy.prune(node.horizon().droppable())) {
      publishIfRead();
    }
  }

  /** Whether garbage may be dropped: a joiner drops nothing before it has its state (Joining). */
  boolean mayDrop() {
    return synced;
  }

  // ---- publication

  /** Backups are not read, except TOP, which every node reads without asking. */
  private void publishIfRead() {
    if (term != null || node.placements().isTop(shard)) {
      publish();
    }
  }

  private void publish() {
    ShardView next = newView();
    Invariant.holds(next.follows(view), "a view went back: shard %s", shard);
    view = next;
    for (long kcl : copy.live().takeGrown()) {
      if (isServing()) {
        node.outbox().emit(new Effect.Grew(kcl, copy.live().of(kcl).entries()));
      }
    }
  }

  private ShardView newView() {
    return new ShardView(
        shard,
        node.placements().id(),
        isServing(),
        synced ? completeUpTo() : 0,
        copy.chains().view(),
        copy.log().view(),
        node.horizon().horizon());
  }

  /** Up to where a backup's copy may be read (Reads at backups). */
  long completeUpTo() {
    return watermark;
  }

  ProtocolStatus.Shard status() {
    Term t = term;
    return new ProtocolStatus.Shard(
        shard,
        t != null,
        isServing(),
        synced,
        records.size(),
        t == null ? 0 : t.queue().size(),
        t == null ? 0 : t.locks().size(),
        t == null ? 0 : t.waits().size() + t.parked().size(),
        t == null ? 0 : t.reads().size(),
        copy.log().size());
  }
}
