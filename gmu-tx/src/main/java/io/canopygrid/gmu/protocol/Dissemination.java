package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CommitProgress.Event;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.membership.Replica;

/**
 * The spreading of a decision: the node that has decided a transaction tells every owner and
 * learner of its participants (protocol.md, Decide). That node is the coordinator, or the primary
 * to which the coordinator has delegated the transaction. Confined to the protocol lock.
 */
final class Dissemination {
  private final NodeState node;
  private final Replicas replicas;

  Dissemination(NodeState node, Replicas replicas) {
    this.node = node;
    this.replicas = replicas;
  }

  /** Whether a decision carries the records of all participants: in one phase (One phase). */
  boolean carriesRecords(CommitAttempt attempt) {
    return attempt.isOnePhase();
  }

  /** Stores the decision of an attempt, which counts as known here from then on. */
  void keep(CommitAttempt attempt) {
    Decision decision = Invariant.present(attempt.decision(), "kept before it was decided");
    node.decisions().store(decision, node.outbox().thisStep());
    node.outbox()
        .whenStored(() -> {
          attempt.tell(Event.STORED, node.self(), -1, node.outbox().nowNanos());
          if (attempt.isPushed()) {
            Stability before = new Stability(node, attempt);
            attempt.setStoredHere();
            spread(attempt, decision, before);
          } else {
            attempt.setStoredHere();
          }
        });
  }

  /**
   * Sends the decision to every owner and learner that has not acknowledged it, with the record
   * where it does not have that; to this node itself only once enough others know.
   */
  void push(CommitAttempt attempt) {
    Decision decision = Invariant.present(attempt.decision(), "pushed before it was decided");
    attempt.said(node.outbox().nowNanos());
    attempt.setPushed();
    Stability stability = new Stability(node, attempt);
    attempt.setStable(stability.isReached());
    for (int shard : attempt.participants()) {
      for (NodeId replica : node.placements().replicas(shard)) {
        send(attempt, decision, new Replica(replica, shard), stability);
      }
    }
  }

  /** Tells a decision again that has no answer for long (Lost messages). */
  void pushAgain(CommitAttempt attempt) {
    push(attempt);
  }

  private void send(
      CommitAttempt attempt, Decision decision, Replica replica, Stability stability) {
    boolean stable = stability.reachedWith(replica.node());
    if (hasApplied(attempt, replica) || (!stable && waitsForOwnStore(attempt, replica))) {
      return;
    }
    int shard = replica.shard();
    boolean has =
        carriesRecords(attempt)
            || (node.placements().counts(replica, attempt.storedIn(replica))
                && !attempt.isOnePhase());
    attempt.tell(Event.TOLD, replica.node(), shard, node.outbox().nowNanos());
    TxRecord rec = has ? null : attempt.rec(shard);
    long topology = node.placements().id();
    long complete = replicas.completeUpTo(shard);
    node.outbox()
        .send(replica.node(), new Decide(topology, shard, rec, decision, stable, complete));
  }

  /**
   * Whether a replica is told later, when enough know: this node itself; and a primary, if this
   * node will soon have stored the decision, so that it need be told only once.
   */
  private boolean waitsForOwnStore(CommitAttempt attempt, Replica replica) {
    return replica.node().equals(node.self()) || (!attempt.isStoredHere() && isPrimary(replica));
  }

  void onAck(CommitAttempt attempt, NodeId source, Ack ack) {
    Decision decision = Invariant.present(attempt.decision(), "known before it was decided");
    Replica replica = new Replica(source, ack.shard());
    boolean applied = isApplied(ack);
    if (applied) {
      attempt.tell(Event.APPLIED, source, ack.shard(), node.outbox().nowNanos());
    }
    if (attempt.isStable()) {
      attempt.onAck(replica, ack.topology(), applied);
    } else {
      Stability before = new Stability(node, attempt);
      attempt.onAck(replica, ack.topology(), applied);
      spread(attempt, decision, before);
    }
  }

  /**
   * Whether a replica has applied a decision: a transaction is done when its replicas have applied
   * it, not when they know it (Decide).
   */
  static boolean isApplied(Ack ack) {
    return ack.applied();
  }

  /** One more knows a decision: those who may see it now are told. */
  private void spread(CommitAttempt attempt, Decision decision, Stability before) {
    Stability after = new Stability(node, attempt);
    attempt.setStable(after.isReached());
    for (int shard : attempt.participants()) {
      for (NodeId replica : node.placements().replicas(shard)) {
        Replica at = new Replica(replica, shard);
        boolean waits = replica.equals(node.self()) || isPrimary(at);
        if (waits && after.reachedWith(replica) && !before.reachedWith(replica)) {
          send(attempt, decision, at, after);
        }
      }
    }
  }

  /** Whether a replica has said that it has applied the decision. */
  private boolean hasApplied(CommitAttempt attempt, Replica replica) {
    return node.placements().counts(replica, attempt.appliedIn(replica));
  }

  private boolean isPrimary(Replica replica) {
    return replica.node().equals(node.placements().primary(replica.shard()));
  }

  /** Whether every owner and learner has applied it, and that may be told. */
  boolean isDone(CommitAttempt attempt) {
    if (!node.mayTell()) {
      return false;
    }
    for (int shard : attempt.participants()) {
      for (NodeId replica : node.placements().replicas(shard)) {
        if (!hasApplied(attempt, new Replica(replica, shard))) {
          return false;
        }
      }
    }
    return true;
  }
}
