package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.protocol.membership.Holder;

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

  /**
   * Sends the decision to every owner and learner that has not acknowledged it, with the record
   * where it does not have that; to this node itself only once enough others know.
   */
  void push(CommitAttempt attempt) {
    Decision decision = Invariant.present(attempt.decision(), "pushed before it was decided");
    attempt.said(node.outbox().nowNanos());
    Stability stability = new Stability(node, attempt);
    attempt.setStable(stability.isReached());
    for (int shard : attempt.participants()) {
      for (NodeId holder : node.placements().holders(shard)) {
        send(attempt, decision, new Holder(holder, shard), stability);
      }
    }
  }

  /** Tells a decision again that has no answer for long (Lost messages). */
  void pushAgain(CommitAttempt attempt) {
    push(attempt);
  }

  private void send(CommitAttempt attempt, Decision decision, Holder holder, Stability stability) {
    boolean stable = stability.reachedWith(holder.node());
    if (hasApplied(attempt, holder) || (!stable && holder.node().equals(node.self()))) {
      return;
    }
    int shard = holder.shard();
    boolean has =
        carriesRecords(attempt)
            || (node.placements().counts(holder, attempt.storedIn(holder))
                && !attempt.isOnePhase());
    TxRecord rec = has ? null : attempt.rec(shard);
    long topology = node.placements().id();
    long complete = replicas.completeUpTo(shard);
    node.outbox().send(holder.node(), new Decide(topology, shard, rec, decision, stable, complete));
  }

  void onAck(CommitAttempt attempt, NodeId source, Ack ack) {
    Decision decision = Invariant.present(attempt.decision(), "known before it was decided");
    Holder holder = new Holder(source, ack.shard());
    boolean applied = isApplied(ack);
    if (attempt.isStable()) {
      attempt.onAck(holder, ack.topology(), applied);
    } else {
      Stability before = new Stability(node, attempt);
      attempt.onAck(holder, ack.topology(), applied);
      spread(attempt, decision, before);
    }
  }

  /**
   * Whether a holder has applied a decision: a transaction is done when its holders have applied
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
      for (NodeId holder : node.placements().holders(shard)) {
        Holder at = new Holder(holder, shard);
        boolean waits = holder.equals(node.self()) || isPrimary(at);
        if (waits && after.reachedWith(holder) && !before.reachedWith(holder)) {
          send(attempt, decision, at, after);
        }
      }
    }
  }

  /** Whether a holder has said that it has applied the decision. */
  private boolean hasApplied(CommitAttempt attempt, Holder holder) {
    return node.placements().counts(holder, attempt.appliedIn(holder));
  }

  private boolean isPrimary(Holder holder) {
    return holder.node().equals(node.placements().primary(holder.shard()));
  }

  /** Whether every owner and learner has applied it. */
  boolean isDone(CommitAttempt attempt) {
    for (int shard : attempt.participants()) {
      for (NodeId holder : node.placements().holders(shard)) {
        if (!hasApplied(attempt, new Holder(holder, shard))) {
          return false;
        }
      }
    }
    return true;
  }
}
