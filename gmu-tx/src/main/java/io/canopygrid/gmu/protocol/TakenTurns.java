package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.TurnEnded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The turns that this node's transactions have asked for (protocol.md, Turns): tells the keys'
 * primaries when one is over. Confined to the protocol lock.
 */
final class TakenTurns {
  private final NodeState node;
  private final Map<Long, List<Turn>> byTransaction = new HashMap<>();

  TakenTurns(NodeState node) {
    this.node = node;
  }

  /** A read that waits for its turn, or had it. */
  private record Turn(int shard, CompositeKey key, long request) {}

  /** A transaction asks for its turn. */
  void add(long transaction, int shard, CompositeKey key, long request) {
    byTransaction
        .computeIfAbsent(transaction, t -> new ArrayList<>(1))
        .add(new Turn(shard, key, request));
  }

  /** Where a transaction's commit was applied the turn went on with that. */
  void onCommitted(CommitAttempt attempt) {
    List<Turn> turns = byTransaction.get(attempt.transaction());
    if (turns != null) {
      Set<CompositeKey> written = attempt.written();
      turns.removeIf(turn -> written.contains(turn.key));
    }
  }

  /** A read has found nothing to wait for: its key is elsewhere. */
  void end(long transaction, long request) {
    List<Turn> turns = byTransaction.get(transaction);
    if (turns != null) {
      turns.stream().filter(turn -> turn.request == request).forEach(this::tell);
      turns.removeIf(turn -> turn.request == request);
    }
  }

  /** A transaction has ended. */
  void endAll(long transaction) {
    List<Turn> turns = byTransaction.remove(transaction);
    if (turns != null) {
      turns.forEach(this::tell);
    }
  }

  private void tell(Turn turn) {
    NodeId primary = node.placements().primary(turn.shard);
    if (primary != null) {
      long topology = node.placements().id();
      node.outbox().send(primary, new TurnEnded(topology, turn.shard, turn.key, turn.request));
    }
  }

  void clear() {
    byTransaction.clear();
  }
}
