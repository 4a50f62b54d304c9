package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.protocol.membership.Replica;
import java.util.ArrayList;
import java.util.List;

/**
 * The way in which a coordinator asks the participants of a transaction (protocol.md, Prepare).
 * Confined to the protocol lock.
 */
final class Preparation {
  private final NodeState node;

  Preparation(NodeState node) {
    this.node = node;
  }

  /** To every owner and learner of every participant; in one phase to who decides only. */
  void prepare(CommitAttempt attempt) {
    attempt.said(node.outbox().nowNanos());
    List<Replica> asked = new ArrayList<>();
    for (int shard : attempt.participants()) {
      List<NodeId> all = node.placements().replicas(shard);
      // In one phase the primary decides, this node or another one.
      List<NodeId> replicas = attempt.isOnePhase() ? all.subList(0, 1) : all;
      replicas.forEach(replica -> asked.add(new Replica(replica, shard)));
    }
    await(attempt, asked);
    CommitProgress.Event event =
        attempt.isDelegated() ? CommitProgress.Event.DELEGATED : CommitProgress.Event.ASKED;
    for (Replica replica : asked) {
      attempt.tell(event, replica.node(), replica.shard(), node.outbox().nowNanos());
    }
    asked.forEach(replica -> ask(attempt, replica));
  }

  /** The answers of primaries, backups and learners are awaited (Prepare). */
  void await(CommitAttempt attempt, List<Replica> asked) {
    asked.forEach(attempt::await);
  }

  /** Asks those again that have not answered for long (Lost messages). */
  void prepareAgain(CommitAttempt attempt) {
    List.copyOf(attempt.awaited()).forEach(replica -> ask(attempt, replica));
  }

  private void ask(CommitAttempt attempt, Replica replica) {
    Prepare prepare = new Prepare(topologyOf(attempt), attempt.rec(replica.shard()));
    node.outbox().send(replica.node(), prepare);
  }

  /**
   * The topology that a prepare belongs to: its own, so that it means nothing in the next (Topology
   * changes).
   */
  long topologyOf(CommitAttempt attempt) {
    return attempt.topology();
  }
}
