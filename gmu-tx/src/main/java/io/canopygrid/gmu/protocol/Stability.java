package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether a decision may be seen (protocol.md, No exposure before stability): only when one more
 * node knows it than can fail at once, the coordinator being one; or all that can know it, where
 * those are fewer. An abort can always be seen. A node knows a decision when it has stored it.
 */
final class Stability {
  private final Set<NodeId> knowing;
  private final int enough;

  /** As it is now. */
  Stability(NodeState node, CommitAttempt attempt) {
    Set<NodeId> able = new HashSet<>();
    able.add(node.self());
    for (int shard : attempt.participants()) {
      able.addAll(node.placements().replicas(shard));
    }
    knowing = attempt.knowing(able);
    if (countsItself(attempt)) {
      knowing.add(node.self());
    }
    Message.Decision decision = Invariant.present(attempt.decision(), "not decided");
    enough =
        node.mayTell() || decision.clock() == null
            ? Math.min(mustKnow(decision, node.config()), able.size())
            : Integer.MAX_VALUE;
  }

  /** The number of nodes that must know a decision before it may be seen, where so many can. */
  static int mustKnow(Message.Decision decision, ProtocolConfig config) {
    return decision.clock() == null ? 0 : config.failuresAtOnce() + 1;
  }

  /** Whether the node that has decided counts as one that knows: once it has stored that. */
  static boolean countsItself(CommitAttempt attempt) {
    return attempt.isStoredHere();
  }

  /** Whether enough know it now. */
  boolean isReached() {
    return knowing.size() >= enough;
  }

  /** Whether enough know it once this node does. */
  boolean reachedWith(NodeId receiver) {
    return knowing.size() + (knowing.contains(receiver) ? 0 : 1) >= enough;
  }
}
