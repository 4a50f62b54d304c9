package io.canopygrid.btree.function;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.wire.CommitId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of calls whose outcome will not be asked for any more, by the node that has run them.
 * The node is told with the next call. Thread-safe.
 */
final class CompletedCalls {
  /** Most names of one node; the records of further names are dropped when old. */
  private static final int NAMES_MAX = 1_000;

  /** Most nodes; a further node makes room by dropping the names of all. */
  private static final int NODES_MAX = 1_000;

  private static final int AT_ONCE_MAX = 64;

  private final Map<NodeId, BlockingQueue<CommitId>> byNode = new ConcurrentHashMap<>();

  /** Adds the name of a call that was sent once and answered. */
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

  /** Some names of a node; each name is given out once. */
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
