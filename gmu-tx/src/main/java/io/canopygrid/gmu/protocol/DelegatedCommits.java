package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.membership.Replica;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The commits that other nodes have delegated to this one, the primary of their only shard
 * (protocol.md, Delegation): decides each in one phase, tells the shard's other replicas, and
 * answers once all have applied it. All of that in the topology in which it was asked, or not at
 * all: what is decided then the coordinator finds in the flush of the next one, and goes on with.
 * Confined to the protocol lock.
 */
final class DelegatedCommits {
  private final NodeState node;
  private final Replicas replicas;
  private final Dissemination dissemination;

  /** Of this topology; an answered one until its coordinator says that it is done. */
  private final Map<TxId, CommitAttempt> attempts = new HashMap<>();

  /**
   * The votes that were answered, to be said again: a prepare that comes twice is not judged twice.
   */
  private final Map<TxId, Vote> answers = new HashMap<>();

  DelegatedCommits(NodeState node, Replicas replicas, Dissemination dissemination) {
    this.node = node;
    this.replicas = replicas;
    this.dissemination = dissemination;
  }

  /** A prepare: true where it is new, so that the shard has to judge it. */
  boolean accept(TxRecord rec) {
    TxId tid = rec.tid();
    if (answerAgain(tid)
        || node.decisions().isTooLate(tid)
        || attempts.containsKey(tid)
        || node.decisions().get(tid) != null) {
      return false;
    }
    CommitAttempt attempt = CommitAttempt.delegatedHere(rec, node.placements().id());
    attempt.await(new Replica(node.self(), rec.shard()));
    attempts.put(tid, attempt);
    node.decidedHere().add(tid);
    return true;
  }

  /**
   * A prepare that comes again is answered as before, not judged again (Delegation); false where it
   * was not answered.
   */
  boolean answerAgain(TxId tid) {
    Vote answer = answers.get(tid);
    if (answer != null) {
      send(answer);
    }
    return answer != null;
  }

  /** The shard has judged: a yes is the decision. */
  void onVote(NodeId source, Vote vote) {
    CommitAttempt attempt = attempts.get(vote.tid());
    if (attempt == null || attempt.isDecided()) {
      return;
    }
    if (vote.refusal() != null) {
      attempt.decide(null, false);
      answer(vote);
    } else if (attempt.onYes(new Replica(source, vote.shard()), vote.topology(), vote.clock())) {
      VectorClock clock = attempt.commitClock();
      Decision decision = attempt.decide(clock, dissemination.carriesRecords(attempt));
      node.decisions().remember(decision, node.outbox().thisStep());
      dissemination.keep(attempt);
      replicas.onDecided(decision);
      dissemination.push(attempt);
      checkFinished(attempt);
    }
  }

  void onAck(NodeId source, Ack ack) {
    CommitAttempt attempt = attempts.get(ack.tid());
    if (attempt != null) {
      dissemination.onAck(attempt, source, ack);
      checkFinished(attempt);
    }
  }

  private void checkFinished(CommitAttempt attempt) {
    if (isReplicated(attempt) && !answers.containsKey(attempt.tid())) {
      int shard = attempt.participants().get(0);
      node.decisions().onReplicated(Invariant.present(attempt.decision(), "done, not decided"));
      VectorClock clock = attempt.commitClock();
      long complete = replicas.completeUpTo(shard);
      answer(new Vote(attempt.tid(), shard, node.placements().id(), clock, null, complete));
    }
  }

  /** Whether the primary may answer: when every replica has applied the commit (Delegation). */
  boolean isReplicated(CommitAttempt attempt) {
    return dissemination.isDone(attempt);
  }

  private void answer(Vote vote) {
    Vote before = answers.put(vote.tid(), vote);
    Invariant.holds(before == null, "judged twice: %s", vote);
    send(vote);
  }

  private void send(Vote vote) {
    CommitAttempt attempt = Invariant.present(attempts.get(vote.tid()), "answered, not asked");
    Vote narrow = node.clocks().committed(vote, attempt.snapshot());
    // A no promises nothing, and a commit is applied at every replica.
    long restsOn = vote.refusal() != null ? 0 : node.decisions().storedAt(vote.tid());
    node.outbox().send(vote.tid().coordinator(), narrow, restsOn);
  }

  /**
   * Tells again each decision that has no answer for long, and forgets the answers that the
   * coordinators have heard.
   */
  void tick() {
    attempts
        .keySet()
        .removeIf(tid -> {
          boolean done = node.decisions().isDone(tid);
          if (done) {
            answers.remove(tid);
            node.decidedHere().remove(tid);
          }
          return done;
        });
    long now = node.outbox().nowNanos();
    for (CommitAttempt attempt : List.copyOf(attempts.values())) {
      if (attempt.isDecided()
          && !answers.containsKey(attempt.tid())
          && attempt.isOverdue(now, node.config().resendNanos())) {
        dissemination.pushAgain(attempt);
      }
    }
  }

  /** All members have stored this topology: what waited for that goes on. */
  void onFlushed() {
    if (node.changes().isKept()) {
      for (CommitAttempt attempt : List.copyOf(attempts.values())) {
        if (attempt.isDecided() && !answers.containsKey(attempt.tid())) {
          dissemination.push(attempt);
          checkFinished(attempt);
        }
      }
    }
  }

  /** Another topology: the coordinators go on with what is decided, the rest never happens. */
  void clear() {
    attempts.clear();
    answers.clear();
    node.decidedHere().clear();
  }
}
