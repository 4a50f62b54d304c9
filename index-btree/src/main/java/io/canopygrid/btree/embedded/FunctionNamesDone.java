package io.canopygrid.btree.embedded;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.wire.client.CommitId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of calls that nobody will ask for any more, by the node that has run them, which is
 * told with the next call. Thread-safe.
 */
final class FunctionNamesDone {
  /** Names beyond these are left to grow old, as are those of nodes beyond so many. */
  private static final int NAMES_MAX = 1_000;

  private static final int NODES_MAX = 1_000;
  private static final int AT_ONCE_MAX = 64;

  private final Map<NodeId, BlockingQueue<CommitId>> byNode = new ConcurrentHashMap<>();

  /** It was sent once and answered. */
  void add(NodeId to, CommitId name) {
    if (byNode.size() >= NODES_MAX) {
      byNode.clear();
    }
    boolean kept =
        byNode.computeIfAbsent(to, any -> new ArrayBlockingQueue<>(NAMES_MAX)).offer(name);
    if (!kept) {
      byNode.remove(to);
    }
  }

  /** Some of a node's; each is given out once. */
  List<CommitId> of(NodeId to) {
    BlockingQueue<CommitId> names = byNode.get(to);
    if (names == null) {
      return List.of();
    }
    List<CommitId> some = new ArrayList<>();
    names.drainTo(some, AT_ONCE_MAX);
    return some;
  }
}
