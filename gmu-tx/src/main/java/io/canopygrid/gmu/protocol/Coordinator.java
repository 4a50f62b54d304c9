package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.ReadReply;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.CommitAttempt.Phases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that run on this node: begins them, asks for their reads, and takes them through
 * prepare and decide (protocol.md, Begin, Read, Commit). Confined to the lane, but for begin and
 * tryEnd.
 */
final class Coordinator {
  private static final Refusal GIVEN_UP =
      new Refusal(AbortReason.LOCK_TIMEOUT, null, null, null, null);

  private final NodeState node;
  private final ShardMap shards;
  private final Replicas replicas;
  final RunningTransactions running = new RunningTransactions();
  final OpenReads reads;
  private final TreeMap<Long, CommitAttempt> attempts = new TreeMap<>();
  private final HeldCommits held = new HeldCommits();
  private final Preparation preparation;
  private final Dissemination dissemination;
  private final DelegatedCommits delegated;
  private long counter;

  Coordinator(NodeState node, ShardMap shards, Replicas replicas) {
    this.node = node;
    this.shards = shards;
    this.replicas = replicas;
    this.reads = new OpenReads(node, shards);
    this.preparation = new Preparation(node);
    this.dissemination = new Dissemination(node, replicas);
    this.delegated = new DelegatedCommits(node, replicas, dissemination);
  }

  // ---- begin and read

  /** Begin: a transaction starts at the node's floor, above the horizon. */
  Begun begin(VectorClock token) {
    return running.begin(token, node.horizon()::floor);
  }

  /** Begins at a clock that is pinned, whatever the floor is. */
  Begun beginAt(VectorClock clock) {
    return running.begin(clock);
  }

  void read(
      long transaction,
      long request,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead) {
    if (!running.enter(transaction, clock)) {
      // Its handle has ended it in between, on another thread.
      reads.refuse(request, queries, clock, node.outbox()::emit);
      return;
    }
    reads.ask(transaction, request, queries, alone, clock, hasRead);
  }

  void onReadReply(ReadReply reply) {
    long transaction = reads.onReply(reply);
    if (transaction >= 0) {
      running.advance(transaction, reply.clock());
    }
  }

  /** Forgets a transaction that has asked nothing here; false: it has to {@link #end}. */
  boolean tryEnd(long transaction) {
    return running.tryEnd(transaction);
  }

  /** Forgets a transaction that is not being committed. */
  void end(long transaction) {
    running.end(transaction);
    held.drop(transaction);
    reads.end(transaction);
  }

  // ---- prepare

  void commit(long transaction, VectorClock clock, Footprint footprint, String label) {
    if (!running.enter(transaction, clock)) {
      tellAborted(transaction, null, unavailable(footprint));
      return;
    }
    if (held.hold(transaction, clock, footprint, label)) {
      return;
    }
    SortedMap<Integer, Footprint> parts = FootprintParts.byShard(footprint, shards);
    if (!needsValidation(parts)) {
      end(transaction);
      node.outbox().emit(new Effect.Ended(transaction, new Outcome.Committed(clock)));
      return;
    }
    boolean onePhase = true;
    for (Map.Entry<Integer, Footprint> part : parts.entrySet()) {
      if (node.placements().primary(part.getKey()) == null) {
        tellAborted(transaction, null, unavailable(part.getValue()));
        return;
      }
      onePhase &= replicas.isServing(part.getKey());
    }
    counter = Math.incrementExact(counter);
    TxId tid = new TxId(node.self(), counter);
    Phases phases =
        onePhase
            ? Phases.ONE
            : mayDelegate(parts) && !node.placements().isPrimary(parts.firstKey())
                ? Phases.DELEGATED
                : Phases.TWO;
    CommitAttempt attempt =
        CommitAttempt.of(tid, transaction, clock, parts, phases, label, node.placements().id());
    attempts.put(tid.counter(), attempt);
    preparation.prepare(attempt);
  }

  /** Whether a commit is validated: also where nothing is written (Serializable reads). */
  static boolean needsValidation(SortedMap<Integer, Footprint> parts) {
    return !parts.isEmpty();
  }

  /** Whether a primary may decide alone: that of a transaction's only shard (Delegation). */
  static boolean mayDelegate(SortedMap<Integer, Footprint> parts) {
    return parts.size() == 1;
  }

  /** What was asked long ago, and is not answered, is asked again (Lost messages). */
  void askAgain() {
    long now = node.outbox().nowNanos();
    long patience = node.config().resendNanos();
    reads.askOverdue();
    delegated.tick();
    for (CommitAttempt attempt : List.copyOf(attempts.values())) {
      if (!attempt.isOverdue(now, patience)) {
        continue;
      }
      if (attempt.isDecided()) {
        dissemination.pushAgain(attempt);
        checkFinished(attempt);
      } else {
        preparation.prepareAgain(attempt);
      }
    }
  }

  private static Refusal unavailable(Footprint part) {
    CompositeKey key = FootprintParts.anyKey(part);
    return new Refusal(AbortReason.SHARD_UNAVAILABLE, key, null, null, null);
  }

  // ---- decide

  void onVote(NodeId source, Vote vote) {
    CommitAttempt attempt = attempt(vote.tid());
    if (attempt == null) {
      delegated.onVote(source, vote);
    } else if (attempt.isDecided()) {
      return;
    } else if (vote.refusal() != null) {
      abort(attempt, vote.refusal());
    } else if (attempt.isDelegated()) {
      onDelegatedCommit(attempt, vote);
    } else if (attempt.onYes(new Holder(source, vote.shard()), vote.topology(), vote.clock())) {
      attempt.decide(attempt.commitClock(), dissemination.carriesRecords(attempt));
      push(attempt);
    }
  }

  /** Every holder in the vote's topology has applied it; those of another one are told again. */
  private void onDelegatedCommit(CommitAttempt attempt, Vote vote) {
    VectorClock clock = Invariant.present(vote.clock(), "committed, and without a clock");
    attempt.decide(clock, dissemination.carriesRecords(attempt));
    if (vote.topology() == node.placements().id()) {
      replicas.onComplete(vote.shard(), vote.complete());
      attempts.remove(attempt.tid().counter());
      tell(attempt, new Outcome.Committed(clock));
    } else {
      push(attempt);
    }
  }

  /** A shard here must judge a prepare, unless it has done so for another node already. */
  void onPrepare(TxRecord rec) {
    if (!node.isDelegatedHere(rec) || delegated.accept(rec)) {
      replicas.held(rec.shard()).onPrepare(rec);
    }
  }

  /**
   * A prepare of an older topology; what was delegated in that is perhaps decided: flushes tell.
   */
  void refuseOutdated(TxRecord rec) {
    if (!node.isDelegatedHere(rec)) {
      node.refuse(rec.tid(), rec.shard(), Participant.TOPOLOGY_CHANGED);
    }
  }

  private @Nullable CommitAttempt attempt(TxId tid) {
    return tid.coordinator().equals(node.self()) ? attempts.get(tid.counter()) : null;
  }

  /** The caller hears of an abort at once. */
  private void abort(CommitAttempt attempt, Refusal refusal) {
    Decision decision = attempt.decide(null, false);
    Invariant.holds(attempt.tellOnce(), "told before it was decided: %s", attempt.tid());
    tellAborted(attempt.transaction(), attempt.tid(), refusal);
    if (attempt.isOnePhase()) {
      // Nobody else has heard of it, and nobody will.
      attempts.remove(attempt.tid().counter());
      replicas.learn(decision, null, true);
      node.decisions().forget(attempt.tid());
    } else {
      held.undoing(attempt);
      push(attempt);
    }
  }

  /**
   * The caller waits no longer: what is not decided is aborted, what is decided stays so, and so
   * does what another node decides.
   */
  void giveUp(long transaction) {
    if (held.drop(transaction)) {
      tellAborted(transaction, null, GIVEN_UP);
    }
    for (CommitAttempt attempt : List.copyOf(attempts.values())) {
      boolean open = !attempt.isDecided() && !attempt.isDelegated();
      if (attempt.transaction() == transaction && open) {
        abort(attempt, GIVEN_UP);
      } else if (attempt.transaction() == transaction) {
        leave(attempt);
      }
    }
  }

  /** The caller gives up what is decided: that does not change (Decide), nor is it done again. */
  void leave(CommitAttempt attempt) {
    if (!attempt.isTold()) {
      end(attempt.transaction());
    }
  }

  void tellAborted(long transaction, @Nullable TxId tid, Refusal why) {
    boolean again =
        why.reason() == AbortReason.MOVED
            || why.reason() == AbortReason.TOPOLOGY_CHANGED
            || why.reason() == AbortReason.LOCK_TIMEOUT;
    if (!again) {
      end(transaction);
    }
    Outcome outcome =
        new Outcome.Aborted(why.reason(), why.key(), why.other(), why.otherLabel(), why.header());
    node.outbox().emit(new Effect.Ended(transaction, outcome, false, tid));
  }

  void tell(CommitAttempt attempt, Outcome outcome) {
    if (attempt.tellOnce()) {
      if (outcome instanceof Outcome.Committed) {
        reads.onCommitted(attempt);
      }
      end(attempt.transaction());
      boolean onePhase = attempt.isOnePhase();
      node.outbox().emit(new Effect.Ended(attempt.transaction(), outcome, onePhase, attempt.tid()));
    }
  }

  private void push(CommitAttempt attempt) {
    dissemination.push(attempt);
    checkFinished(attempt);
  }

  void onAck(NodeId source, Ack ack) {
    CommitAttempt attempt = attempt(ack.tid());
    if (attempt == null) {
      delegated.onAck(source, ack);
    } else if (!attempt.isDelegated()) {
      dissemination.onAck(attempt, source, ack);
      checkFinished(attempt);
    }
  }

  /** Committed: every owner and joiner has applied it (step 3). */
  void checkFinished(CommitAttempt attempt) {
    Decision decision = Invariant.present(attempt.decision(), "finished before it was decided");
    VectorClock clock = decision.clock();
    if (dissemination.isDone(attempt)) {
      node.decisions().onReplicated(decision);
      attempts.remove(attempt.tid().counter());
      if (clock == null) {
        commitHeld(attempt);
      } else if (isLost(attempt)) {
        tell(attempt, new Outcome.Unknown());
      } else {
        tell(attempt, new Outcome.Committed(clock));
      }
    }
  }

  /** Whether a part of it has no owner any more. */
  private boolean isLost(CommitAttempt attempt) {
    return attempt.participants().stream().anyMatch(s -> node.placements().primary(s) == null);
  }

  private void commitHeld(CommitAttempt undone) {
    HeldCommits.Held next = held.undone(undone);
    if (next != null) {
      commit(undone.transaction(), next.clock(), next.footprint(), next.label());
    }
  }

  // ---- topology

  /** Open reads are asked again, decisions sent again; who waits for a node that left aborts. */
  void onTopology() {
    reads.askAgain();
    delegated.clear();
    for (CommitAttempt attempt : List.copyOf(attempts.values())) {
      if (attempt.isDecided()) {
        push(attempt);
      } else if (awaitsDeparted(attempt) && !awaitsFlush(attempt)) {
        abort(attempt, Participant.TOPOLOGY_CHANGED);
      }
    }
  }

  /**
   * All that was decided before this topology is known here: so is what became of the commits that
   * were delegated in an older one. Who knows of none, and will hear of none, aborts.
   */
  void onFlushed() {
    for (CommitAttempt attempt : List.copyOf(attempts.values())) {
      if (attempt.isDelegated() && attempt.topology() < node.placements().id()) {
        Decision known = node.decisions().get(attempt.tid());
        if (known != null) {
          attempt.adopt(known);
          push(attempt);
        } else if (isLost(attempt)) {
          attempts.remove(attempt.tid().counter());
          tell(attempt, new Outcome.Unknown());
        } else {
          abort(attempt, Participant.TOPOLOGY_CHANGED);
        }
      }
    }
  }

  /** Whether only the next flush, when it is complete, tells what became of it (Delegation). */
  static boolean awaitsFlush(CommitAttempt attempt) {
    return attempt.isDelegated();
  }

  private boolean awaitsDeparted(CommitAttempt attempt) {
    for (Holder holder : attempt.awaited()) {
      if (!node.placements().isMember(holder.node())) {
        return true;
      }
    }
    return false;
  }

  /**
   * This node was expelled: nothing more can be found out here (Partitions).
   *
   * @param remaining the members of the topology without it
   */
  void halt(List<NodeId> remaining) {
    reads.halt();
    for (CommitAttempt attempt : attempts.values()) {
      if (attempt.tellOnce()) {
        Outcome outcome = atTheEnd(attempt, remaining);
        node.outbox().emit(new Effect.Ended(attempt.transaction(), outcome, false, attempt.tid()));
      }
    }
    for (long transaction : held.transactions()) {
      Outcome outcome = new Outcome.Aborted(AbortReason.SHARD_UNAVAILABLE, null, null, null, null);
      node.outbox().emit(new Effect.Ended(transaction, outcome));
    }
    attempts.clear();
    delegated.clear();
    held.clear();
    running.clear();
  }

  /** Undecided it can only abort; what is decided those settle who know it, if there are any. */
  private Outcome atTheEnd(CommitAttempt attempt, List<NodeId> remaining) {
    Decision decision = attempt.decision();
    if (attempt.isDelegated()) {
      return new Outcome.Unknown();
    } else if (decision == null) {
      return new Outcome.Aborted(AbortReason.SHARD_UNAVAILABLE, null, null, null, null);
    }
    VectorClock clock = Invariant.present(decision.clock(), "an abort that was not told");
    int knowing = attempt.knowing(remaining).size();
    return knowing >= mustRemain() ? new Outcome.Committed(clock) : new Outcome.Unknown();
  }

  /** How many members must know a commit that an expelled coordinator tells (Partitions). */
  int mustRemain() {
    return node.config().failuresAtOnce();
  }

  /** Whether a decision is pushed by this node itself. */
  boolean coordinates(TxId tid) {
    CommitAttempt attempt = attempt(tid);
    return attempt != null && attempt.isDecided();
  }

  /** The decisions to commit that are not finished. */
  List<Decision> commits() {
    List<Decision> commits = new ArrayList<>();
    for (CommitAttempt attempt : attempts.values()) {
      Decision decision = attempt.decision();
      if (decision != null && decision.clock() != null) {
        commits.add(decision);
      }
    }
    return commits;
  }

  // ---- garbage

  /** All attempts with a lower counter are done. */
  long mark() {
    return hasUndone() ? attempts.firstKey() : counter + 1;
  }

  /** Whether a transaction is undone: then it holds the mark back (Decide, step 3). */
  boolean hasUndone() {
    return !attempts.isEmpty();
  }

  /**
   * The meet of a clock with those of all running transactions, which hold the horizon back
   * (Garbage).
   */
  VectorClock meetInUse(VectorClock clock) {
    VectorClock lowest = running.meet(clock);
    for (CommitAttempt attempt : attempts.values()) {
      lowest = lowest.meet(attempt.snapshot());
    }
    return lowest;
  }

  int transactions() {
    return running.size();
  }

  /** The id under which a transaction is being committed; null: it is not. */
  @Nullable TxId attemptOf(long transaction) {
    for (CommitAttempt attempt : attempts.values()) {
      if (attempt.transaction() == transaction && !attempt.isTold()) {
        return attempt.tid();
      }
    }
    return null;
  }

  int attempts() {
    return attempts.size();
  }
}
