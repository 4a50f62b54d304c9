package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells callers how their commits have ended, each once, and ends the transactions whose callers
 * cannot try again (protocol.md, Commit). Confined to the protocol lock.
 */
final class CommitOutcomes {
  private final NodeState node;
  private final LocalTransactions transactions;
  private final HeldCommits held;

  /** By transaction the attempts whose end is known here, and told when all of it is stored. */
  private final Map<Long, TxId> untold = new HashMap<>();

  CommitOutcomes(NodeState node, LocalTransactions transactions, HeldCommits held) {
    this.node = node;
    this.transactions = transactions;
    this.held = held;
  }

  /** Forgets a transaction that is not being committed. */
  void end(long transaction) {
    held.drop(transaction);
    transactions.end(transaction);
  }

  /** Tells the outcome of an attempt that may have been told before. */
  void tell(CommitAttempt attempt, Outcome outcome) {
    if (attempt.tellOnce()) {
      if (outcome instanceof Outcome.Committed) {
        transactions.onCommitted(attempt);
      }
      end(attempt.transaction());
      // A commit is stored at all replicas; this node must have stored the topology, too.
      emit(attempt, outcome, attempt.isOnePhase(), node.outbox().topologyAt());
    }
  }

  /**
   * @param restsOn the last position that must be stored here before
   */
  private void emit(CommitAttempt attempt, Outcome outcome, boolean onePhase, long restsOn) {
    long transaction = attempt.transaction();
    node.outbox().emit(new Effect.Ended(transaction, outcome, onePhase, attempt.tid()), restsOn);
    if (node.changes().isKept()) {
      untold.put(transaction, attempt.tid());
      node.outbox().whenStored(() -> untold.remove(transaction), restsOn);
    }
  }

  /** The attempt of a transaction whose end is not told yet, though it is known; null: none. */
  @Nullable TxId untold(long transaction) {
    return untold.get(transaction);
  }

  /** Tells that an attempt was aborted; its transaction goes on where it can be tried again. */
  void tellAborted(CommitAttempt attempt, Refusal why) {
    Invariant.holds(attempt.tellOnce(), "told before it was decided: %s", attempt.tid());
    tellAborted(attempt.transaction(), attempt.tid(), why);
  }

  /**
   * @param tid the attempt's id; null: none was made
   */
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

  /**
   * This node was expelled: nothing more can be found out here (Partitions).
   *
   * @param remaining the members of the topology without it
   */
  void halt(List<CommitAttempt> attempts, List<NodeId> remaining) {
    for (CommitAttempt attempt : attempts) {
      if (attempt.tellOnce()) {
        emit(attempt, atTheEnd(attempt, remaining), false, Long.MAX_VALUE);
      }
    }
    for (long transaction : held.transactions()) {
      Outcome outcome = new Outcome.Aborted(AbortReason.SHARD_UNAVAILABLE, null, null, null, null);
      node.outbox().emit(new Effect.Ended(transaction, outcome));
    }
    held.clear();
  }

  /** An undecided commit can only abort; a decided one is resolved by members that know it. */
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

  /**
   * The number of members that must know a commit that an expelled coordinator tells (Partitions).
   */
  int mustRemain() {
    return node.config().failuresAtOnce();
  }
}
