package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.CommitProgress.Event;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.CommitAttempt.Phases;
import io.canopygrid.gmu.protocol.membership.Replica;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the transactions that run on this node through prepare and decide (protocol.md, Commit).
 * Confined to the protocol lock.
 */
final class Coordinator {
  private final NodeState node;
  private final ShardMap shards;
  private final Replicas replicas;
  private final LocalTransactions transactions;
  private final CommitAttempts attempts;
  private final HeldCommits held = new HeldCommits();
  private final WatchedCommits watched = new WatchedCommits();
  private final CommitOutcomes outcomes;
  private final Preparation preparation;
  private final Dissemination dissemination;

  Coordinator(
      NodeState node,
      ShardMap shards,
      Replicas replicas,
      LocalTransactions transactions,
      Dissemination dissemination) {
    this.node = node;
    this.shards = shards;
    this.replicas = replicas;
    this.transactions = transactions;
    this.attempts = new CommitAttempts(node.self());
    this.outcomes = new CommitOutcomes(node, transactions, held);
    this.preparation = new Preparation(node);
    this.dissemination = dissemination;
  }

  /** Forgets a transaction that is not being committed. */
  void end(long transaction) {
    watched.take(transaction);
    outcomes.end(transaction);
  }

  // ---- prepare

  /** Lets this one hear how the next commit of a transaction goes on. */
  void watch(long transaction, CommitProgress progress) {
    watched.add(transaction, progress);
  }

  void commit(long transaction, VectorClock clock, Footprint footprint, String label) {
    CommitProgress progress = watched.take(transaction);
    if (!transactions.enter(transaction, clock)) {
      boolean isOld = transactions.isOld(transaction);
      outcomes.tellAborted(
          transaction, null, isOld ? Refusals.TOO_OLD : Refusals.unavailable(footprint));
      return;
    }
    if (held.hold(transaction, clock, footprint, label)) {
      if (progress != null) {
        watched.add(transaction, progress); // for when it is gone on with
      }
      return;
    }
    SortedMap<Integer, Footprint> parts = FootprintParts.byShard(footprint, shards);
    if (!needsValidation(parts)) {
      end(transaction);
      node.outbox().emit(new Effect.Ended(transaction, new Outcome.Committed(clock)), 0);
      return;
    }
    boolean onePhase = true;
    for (Map.Entry<Integer, Footprint> part : parts.entrySet()) {
      if (node.placements().primary(part.getKey()) == null) {
        outcomes.tellAborted(transaction, null, Refusals.unavailable(part.getValue()));
        return;
      }
      onePhase &= replicas.isServing(part.getKey());
    }
    Refusal disk = node.disks().refusal(parts, node.placements());
    if (disk != null) {
      outcomes.tellAborted(transaction, null, disk);
      return;
    }
    TxId tid = attempts.nextId();
    Phases phases =
        onePhase
            ? Phases.ONE
            : mayDelegate(parts) && !node.placements().isPrimary(parts.firstKey())
                ? Phases.DELEGATED
                : Phases.TWO;
    CommitAttempt attempt =
        CommitAttempt.of(tid, transaction, clock, parts, phases, label, node.placements().id());
    attempt.watchedBy(progress);
    attempts.add(attempt);
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

  /** Tells and asks again where there was no answer for long (Lost messages). */
  void askAgain() {
    long now = node.outbox().nowNanos();
    long patience = node.config().resendNanos();
    for (CommitAttempt attempt : attempts.all()) {
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

  // ---- decide

  void onVote(NodeId source, Vote vote) {
    CommitAttempt attempt = attempts.get(vote.tid());
    if (attempt == null || attempt.isDecided()) {
      return;
    }
    attempt.tell(Event.ANSWERED, source, vote.shard(), node.outbox().nowNanos());
    if (vote.refusal() != null) {
      abort(attempt, vote.refusal());
    } else if (attempt.isDelegated()) {
      onDelegatedCommit(attempt, vote);
    } else if (attempt.onYes(new Replica(source, vote.shard()), vote.topology(), vote.clock())) {
      Decision decision =
          attempt.decide(attempt.commitClock(), dissemination.carriesRecords(attempt));
      attempt.tell(Event.DECIDED, node.self(), -1, node.outbox().nowNanos());
      dissemination.keep(attempt);
      if (attempt.isOnePhase()) {
        replicas.onDecided(decision);
      }
      push(attempt);
    }
  }

  /** Every replica in the vote's topology has applied it; those of another one are told again. */
  private void onDelegatedCommit(CommitAttempt attempt, Vote vote) {
    VectorClock news = Invariant.present(vote.clock(), "committed, and without a clock");
    VectorClock clock = attempt.snapshot().join(news);
    attempt.decide(clock, dissemination.carriesRecords(attempt));
    if (vote.topology() == node.placements().id()) {
      replicas.onComplete(vote.shard(), vote.complete());
      attempts.remove(attempt);
      outcomes.tell(attempt, new Outcome.Committed(clock));
    } else {
      dissemination.keep(attempt);
      push(attempt);
    }
  }

  /** The caller hears of an abort at once. */
  private void abort(CommitAttempt attempt, Refusal refusal) {
    Decision decision = attempt.decide(null, false);
    attempt.setStoredHere(); // an abort need not be stored
    outcomes.tellAborted(attempt, refusal);
    if (attempt.isOnePhase()) {
      // Nobody else has heard of it, and nobody will.
      attempts.remove(attempt);
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
      outcomes.tellAborted(transaction, null, Refusals.GIVEN_UP);
    }
    for (CommitAttempt attempt : attempts.all()) {
      boolean open = !attempt.isDecided() && !attempt.isDelegated();
      if (attempt.transaction() == transaction && open) {
        abort(attempt, Refusals.GIVEN_UP);
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

  private void push(CommitAttempt attempt) {
    dissemination.push(attempt);
    checkFinished(attempt);
  }

  void onAck(NodeId source, Ack ack) {
    CommitAttempt attempt = attempts.get(ack.tid());
    if (attempt != null && !attempt.isDelegated()) {
      dissemination.onAck(attempt, source, ack);
      checkFinished(attempt);
    }
  }

  /** Committed: every owner and learner has applied it (step 3). */
  void checkFinished(CommitAttempt attempt) {
    Decision decision = Invariant.present(attempt.decision(), "finished before it was decided");
    VectorClock clock = decision.clock();
    if (dissemination.isDone(attempt)) {
      node.decisions().onReplicated(decision);
      attempts.remove(attempt);
      if (clock == null) {
        commitHeld(attempt);
      } else if (isLost(attempt)) {
        outcomes.tell(attempt, new Outcome.Unknown());
      } else {
        outcomes.tell(attempt, new Outcome.Committed(clock));
      }
    }
  }

  /** Whether a part of it has no owner any more. */
  private boolean isLost(CommitAttempt attempt) {
    return attempt.participants().stream().anyMatch(s -> node.placements().primary(s) == null);
  }

  /** Goes on with the commit that has waited for the end of this attempt, if any. */
  private void commitHeld(CommitAttempt undone) {
    HeldCommits.Held next = held.undone(undone);
    if (next != null) {
      commit(undone.transaction(), next.clock(), next.footprint(), next.label());
    }
  }

  // ---- topology

  /** Decisions are sent again; a commit that waits for a node that left aborts. */
  void onTopology() {
    for (CommitAttempt attempt : attempts.all()) {
      if (attempt.isDecided()) {
        push(attempt);
      } else if (awaitsDeparted(attempt) && !awaitsFlush(attempt)) {
        abort(attempt, Refusals.TOPOLOGY_CHANGED);
      }
    }
  }

  /**
   * All that was decided before this topology is known here: so is what became of the commits that
   * were delegated in an older one. A commit of which nothing is known aborts.
   */
  void onFlushed() {
    for (CommitAttempt attempt : attempts.all()) {
      if (attempt.isDelegated() && attempt.topology() < node.placements().id()) {
        Decision known = node.decisions().get(attempt.tid());
        if (known != null) {
          attempt.adopt(known);
          dissemination.keep(attempt);
          push(attempt);
        } else if (isLost(attempt)) {
          attempts.remove(attempt);
          outcomes.tell(attempt, new Outcome.Unknown());
        } else {
          abort(attempt, Refusals.TOPOLOGY_CHANGED);
        }
      } else if (attempt.isDecided() && node.changes().isKept()) {
        push(attempt);
      }
    }
  }

  /** Whether only the next flush, when it is complete, tells what became of it (Delegation). */
  static boolean awaitsFlush(CommitAttempt attempt) {
    return attempt.isDelegated();
  }

  private boolean awaitsDeparted(CommitAttempt attempt) {
    for (Replica replica : attempt.awaited()) {
      if (!node.placements().isMember(replica.node())) {
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
    outcomes.halt(attempts.all(), remaining);
    attempts.clear();
  }

  /** Whether a decision is pushed by this node itself. */
  boolean coordinates(TxId tid) {
    CommitAttempt attempt = attempts.get(tid);
    return attempt != null && attempt.isDecided();
  }

  /** The decisions to commit that are not finished. */
  List<Decision> commits() {
    return attempts.commits();
  }

  // ---- garbage

  /** All commits of this node with a lower counter are done. */
  long mark() {
    return attempts.mark();
  }

  /**
   * The meet of a clock with those of all running transactions, which hold the horizon back
   * (Garbage).
   */
  VectorClock meetInUse(VectorClock clock) {
    return attempts.meet(transactions.meet(clock));
  }

  /** The id under which a transaction is being committed; null: it is not. */
  @Nullable TxId attemptOf(long transaction) {
    TxId untold = outcomes.untold(transaction);
    return untold == null ? attempts.idOf(transaction) : untold;
  }

  int attempts() {
    return attempts.size();
  }
}
