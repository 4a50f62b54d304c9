package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.Resolved;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.copy.MergedClocks;
import io.canopygrid.gmu.protocol.copy.ShardCopy;
import io.canopygrid.gmu.protocol.copy.StateChunks;
import io.canopygrid.gmu.protocol.lock.LockRequest;
import io.canopygrid.gmu.protocol.lock.LockTable;
import io.canopygrid.gmu.protocol.lock.LockTable.Obstacle;
import io.canopygrid.gmu.protocol.lock.LockWaits;
import io.canopygrid.gmu.protocol.lock.Validation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node as a shard's primary, from the takeover to the end of its term: the order of
 * commits, the locks, and the requests that wait for one (protocol.md, Prepare). While the primary
 * does not serve yet it only collects requests.
 */
final class Term {
  private final int shard;
  private final NodeState node;
  private final CommitQueue queue;
  private final LockTable locks = new LockTable(this::mayFollow);
  private final LockWaits waits = new LockWaits();
  private final Map<TxId, Vote> votes = new HashMap<>();
  private final ServedReads reads;
  private final List<TxRecord> parked = new ArrayList<>();
  private final Map<NodeId, StateRequest> stateRequests = new LinkedHashMap<>();
  private final Map<NodeId, StateRequest> stateAnswered = new LinkedHashMap<>();
  private boolean serving;

  /** The last number given: proposed, or heard of in a clock. It only grows. */
  private long lastNumber;

  /** The last number proposed. */
  private long proposed;

  /**
   * @param lastNumber the last sequence number that an earlier term of this node proposed
   * @param stored the content, whose newest view is read
   */
  Term(int shard, NodeState node, long lastNumber, StoredShard stored) {
    this.shard = shard;
    this.node = node;
    this.queue = new CommitQueue();
    this.lastNumber = lastNumber;
    this.reads = new ServedReads(shard, node, stored::latest, stored::restsOn, locks::isWritten);
  }

  boolean isServing() {
    return serving;
  }

  /** The takeover is complete: numbers of a new epoch are given from now on. */
  void serve() {
    Invariant.holds(!serving, "serves already: shard %s", shard);
    serving = true;
    lastNumber = epochStart();
  }

  /** A topology in which this node is the primary still: its numbers begin anew. */
  void beginEpoch() {
    if (serving) {
      lastNumber = epochStart();
    }
  }

  /** The number that the first proposal of this epoch is above (Taking over). */
  long epochStart() {
    return Math.max(lastNumber, node.epochStart());
  }

  /**
   * Whether this primary may begin to serve (Taking over).
   *
   * @param records the transactions prepared at the shard and undecided
   */
  boolean mayServe(ShardCopy copy, Map<TxId, TxRecord> records) {
    return !serving && !awaitsFlush() && !awaitsInherited(records) && !awaitsDisk(copy);
  }

  /** Whether the copy lacks versions that its disk has: a takeover waits for it (Closed copies). */
  static boolean awaitsDisk(ShardCopy copy) {
    return copy.isClosed();
  }

  /** Whether the flush is not complete yet: a takeover waits for it (Taking over). */
  boolean awaitsFlush() {
    return !node.isFlushed();
  }

  /** Whether an inherited record is undecided: a takeover waits for it (Taking over). */
  static boolean awaitsInherited(Map<TxId, TxRecord> records) {
    return !records.isEmpty();
  }

  long lastNumber() {
    return lastNumber;
  }

  CommitQueue queue() {
    return queue;
  }

  LockTable locks() {
    return locks;
  }

  LockWaits waits() {
    return waits;
  }

  ServedReads reads() {
    return reads;
  }

  /** The prepares that came before this node served; it has them no longer. */
  List<TxRecord> takeParked() {
    List<TxRecord> taken = List.copyOf(parked);
    parked.clear();
    return taken;
  }

  /**
   * Keeps a prepare until this node serves.
   *
   * @param once whether it is not kept again where it comes again, as the wait may be long
   */
  void park(TxRecord rec, boolean once) {
    Invariant.holds(!serving, "serves, and does not judge: %s", rec.tid());
    node.openings().want(shard);
    if (!once || parked.stream().noneMatch(kept -> kept.tid().equals(rec.tid()))) {
      parked.add(rec);
    }
  }

  /** The number of requests and prepares that wait. */
  int waiting() {
    return waits.size() + parked.size();
  }

  @Nullable Vote voteOf(TxId tid) {
    return votes.get(tid);
  }

  /** Remembers a learner's newest request for the state; each is answered once. */
  void onStateRequest(NodeId learner, StateRequest request) {
    StateRequest answered = stateAnswered.get(learner);
    if (answered == null || answered.request() < request.request()) {
      node.openings().want(shard);
      stateRequests.merge(learner, request, (a, b) -> a.request() < b.request() ? b : a);
    }
  }

  /** Sends the state to each learner that has asked for it. */
  void answerState(ShardCopy copy, Collection<TxRecord> records) {
    Map<NodeId, StateRequest> asked = new LinkedHashMap<>(stateRequests);
    stateRequests.clear();
    stateAnswered.putAll(asked);
    int bytes = node.config().stateChunkBytes();
    asked.forEach((learner, request) -> {
      long founded = node.placements().founded();
      for (State s : StateChunks.of(copy, resolved(records), shard, request, bytes, founded)) {
        node.outbox().send(learner, s);
      }
    });
  }

  /** The records that a learner is told of transactions that are not applied here. */
  private List<Resolved> resolved(Collection<TxRecord> records) {
    List<Resolved> resolved = new ArrayList<>();
    queue.ready().forEach(e -> resolved.add(new Resolved(e.rec(), e.clock())));
    for (TxRecord rec : records) {
      if (belongsToState(rec)) {
        resolved.add(new Resolved(rec, keptBack(rec.tid())));
      }
    }
    return resolved;
  }

  /** Whether a learner is sent a record (Joining): all but those that end with the term. */
  static boolean belongsToState(TxRecord rec) {
    return !rec.onePhase();
  }

  /**
   * The commit clock of a transaction that is known and kept back here, as it must not be seen yet
   * (Several failures at once); null: it is not decided, as far as this node knows.
   */
  @Nullable VectorClock keptBack(TxId tid) {
    Decision known = node.decisions().get(tid);
    return known == null ? null : known.clock();
  }

  /** Forgets requests that will come again in the topology that is being installed. */
  void onTopology() {
    stateRequests.clear();
    stateAnswered.clear();
    reads.clear();
  }

  /**
   * Takes all locks of a record and validates it, or lets it wait for the one in its way.
   *
   * @param validation over the newest versions
   * @param merged of what is applied
   * @return a no; null: it was voted for, or waits
   */
  @Nullable Refusal request(LockRequest request, Validation validation, MergedClocks merged) {
    TxRecord rec = request.rec();
    Obstacle obstacle = locks.obstacle(request);
    if (obstacle != null && obstacle.certain()) {
      return inTheWay(AbortReason.STALE_READ, obstacle);
    }
    if (obstacle == null) {
      obstacle = waits.olderForHeader(request);
    }
    if (obstacle != null) {
      wait(request, obstacle);
      return null;
    }
    Refusal refusal = validation.check(rec);
    if (refusal == null) {
      refusal = withoutNumber(rec, merged.mostRecent());
    }
    if (refusal == null) {
      VectorClock followed = followed(locks.followedBy(request));
      locks.grant(request);
      waits.remove(rec.tid());
      vote(rec, merged, followed);
    }
    return refusal;
  }

  /**
   * Whether a write need not wait for a writer of the same key (Writes that follow): for one that
   * is decided, unless somebody waits for it whom the write would overtake.
   */
  boolean mayFollow(LockRequest holder, LockRequest request, CompositeKey key) {
    TxId tid = holder.rec().tid();
    return !key.isHeader()
        && queue.expected(tid) != null
        && !waits.isOlderBehind(tid, request)
        && !reads.isTurnAwaited(key);
  }

  /** The join of the commit clocks of those whom a write follows. */
  VectorClock followed(List<LockRequest> holders) {
    VectorClock clock = VectorClock.ZERO;
    for (LockRequest holder : holders) {
      TxId tid = holder.rec().tid();
      clock = clock.join(Invariant.present(queue.expected(tid), "followed, and not decided"));
    }
    return clock;
  }

  private void wait(LockRequest request, Obstacle obstacle) {
    if (waits.add(request, obstacle)) {
      long wakeAt = node.outbox().nowNanos() + node.config().lockTimeoutNanos();
      node.outbox()
          .emit(new Effect.WakeAt(wakeAt, new Effect.LockTimer(request.rec().tid(), shard)));
    }
  }

  /**
   * A refusal of a record that needs a number where the epoch has none left (Limits), or whose
   * snapshot names one of a later epoch; null: there is one. None is proposed after an epoch's last
   * one, until the next topology.
   */
  @Nullable Refusal withoutNumber(TxRecord rec, VectorClock mostRecent) {
    if (!mayBeGiven(rec.snapshot().get(shard))) {
      return Refusals.unavailable(rec.footprint());
    }
    List<Write> writes = rec.footprint().writes();
    return writes.isEmpty() || Math.max(lastNumber, heardOf(rec, mostRecent)) < node.epochEnd()
        ? null
        : new Refusal(AbortReason.SHARD_UNAVAILABLE, writes.get(0).key(), null, null, null);
  }

  // ---- numbers that are heard of

  /**
   * Whether a number is not of a later epoch than this one: no honest clock names such a number.
   */
  boolean mayBeGiven(long number) {
    return number <= node.epochEnd();
  }

  /**
   * A clock names this number: it is taken for given, and no proposal is at or below it from now on
   * (Clocks from outside).
   */
  void hear(long number) {
    give(number);
  }

  /** The last number given is at least this one. */
  private void give(long number) {
    if (number > lastNumber) {
      if (node.config().halvesEpoch(lastNumber, number)) {
        node.outbox().emit(new Effect.NumbersRunOut(node.placements().id(), shard));
      }
      lastNumber = number;
    }
  }

  /** The highest number that a record, or what is applied here, names of this shard. */
  long heardOf(TxRecord rec, VectorClock mostRecent) {
    return Math.max(rec.snapshot().get(shard), mostRecent.get(shard));
  }

  /**
   * Hears of the numbers that reads wait for.
   *
   * @return the highest one of them at or below which no commit is pending, nor will one be; 0:
   *     none
   */
  long settled() {
    if (!serving) {
      return 0;
    }
    hear(reads.awaited(node.epochEnd()));
    return reads.awaited(closedUpTo());
  }

  /** Up to this number all that was given is applied or aborted (Clocks from outside). */
  long closedUpTo() {
    return queue.isEmpty() ? lastNumber : queue.lowest() - 1;
  }

  /**
   * Proposes the next number for a writer; votes it with the clocks that the commit comes after.
   *
   * @param followed the join of those that are not applied yet
   */
  private void vote(TxRecord rec, MergedClocks merged, VectorClock followed) {
    VectorClock mostRecent = merged.mostRecent();
    VectorClock clock = merged.precedes(rec.footprint()).join(followed);
    if (!rec.footprint().writes().isEmpty()) {
      hear(heardOf(rec, mostRecent));
      give(lastNumber + 1);
      Invariant.holds(lastNumber > mostRecent.get(shard), "a number that was used: %s", lastNumber);
      Invariant.holds(lastNumber > proposed, "proposed again: %s", lastNumber);
      proposed = lastNumber;
      Invariant.holds(
          node.config().epochOf(lastNumber) == node.placements().id(),
          "a number of another epoch: %s",
          lastNumber);
      clock = clock.with(shard, lastNumber);
      queue.propose(rec, lastNumber);
    }
    VectorClock news = clock.beyond(rec.snapshot()); // the coordinator has that
    Vote vote = new Vote(rec.tid(), shard, node.placements().id(), news, null, 0);
    votes.put(rec.tid(), vote);
    give(rec, vote);
  }

  /** Gives a yes to the node that decides, for the first time or again. */
  void give(TxRecord rec, Vote vote) {
    if (rec.onePhase()) {
      node.voteOnePhase(vote);
    } else {
      node.vote(vote);
    }
  }

  /** A no to a request that waited too long, or would have; names the transaction in its way. */
  static Refusal inTheWay(AbortReason reason, Obstacle obstacle) {
    TxRecord holder = obstacle.holder().rec();
    CompositeKey key = obstacle.key();
    return new Refusal(reason, key, holder.tid(), holder.label(), null);
  }

  /** An aborted transaction leaves the queue; its number is not used again (Prepare). */
  void abort(TxId tid) {
    queue.remove(tid);
  }

  /**
   * Whether a transaction ends with this term: no one-phase transaction outlives the term in which
   * it has its locks (Term's end). A transaction that was delegated here, and does not wait, is
   * decided.
   */
  boolean endsWith(TxRecord rec) {
    return rec.onePhase() && !node.isDelegatedHere(rec);
  }

  /** A commit is decided, and not ready; false: it has written nothing here. */
  boolean expect(TxId tid, VectorClock clock) {
    boolean here = queue.contains(tid);
    if (here) {
      hear(clock.get(shard)); // what follows is proposed above it
      queue.expect(tid, clock);
    }
    return here;
  }

  /** A commit is ready at its clock's number, which other shards may have raised. */
  void decide(TxId tid, VectorClock clock) {
    long number = clock.get(shard);
    hear(number);
    Invariant.holds(number <= lastNumber, "decided above every number given: %s", tid);
    queue.decide(tid, clock, number);
  }

  /**
   * Ends the waits of what other nodes have delegated.
   *
   * @param freed gets the requests that may go now
   */
  List<TxId> dropDelegated(List<LockRequest> freed) {
    List<TxId> dropped = new ArrayList<>();
    for (LockRequest waiting : waits.all()) {
      if (node.isDelegatedHere(waiting.rec())) {
        dropped.add(waiting.rec().tid());
      }
    }
    dropped.forEach(waits::remove);
    dropped.forEach(tid -> freed.addAll(waits.takeBehind(tid)));
    return dropped;
  }

  /**
   * A transaction is gone: its locks are free, its vote forgotten, and it does not wait any more.
   *
   * @param freed gets the requests that may go now, and more to come from those
   */
  void release(TxId tid, ArrayDeque<LockRequest> freed) {
    locks.release(tid);
    votes.remove(tid);
    waits.remove(tid);
    freed.addAll(waits.takeBehind(tid));
  }
}
