package io.canopygrid.btree.control;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The share that each node has, of load or of entries, and what it becomes when subtrees go from
 * one node to another. Confined to one thread.
 */
final class Shares {
  private final Map<NodeId, Double> ofNode = new TreeMap<>();
  private final List<@Nullable NodeId> primaries;
  private final double[] ofShard;
  private final int[] subtrees;

  /**
   * The shares of these subtrees.
   *
   * @param primaries by shard, TOP left out; null: it has none
   * @param share what a subtree is of a node's share if it is there
   */
  Shares(
      List<@Nullable NodeId> primaries,
      List<PlacedSubtree> placed,
      ToDoubleBiFunction<PlacedSubtree, NodeId> share) {
    this.primaries = new ArrayList<>(primaries);
    ofShard = new double[primaries.size()];
    subtrees = new int[primaries.size()];
    for (NodeId node : primaries) {
      if (node != null) {
        ofNode.putIfAbsent(node, 0.0);
      }
    }
    for (PlacedSubtree subtree : placed) {
      NodeId at = subtree.node();
      if (at != null) {
        add(subtree.shard(), share.applyAsDouble(subtree, at));
        subtrees[subtree.shard()]++;
      }
    }
  }

  /** All that are the primary of a shard. */
  Set<NodeId> nodes() {
    return ofNode.keySet();
  }

  double of(NodeId node) {
    return ofNode.getOrDefault(node, 0.0);
  }

  double total() {
    return ofNode.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  double mean() {
    return total() / Math.max(1, ofNode.size());
  }

  /** The node that has most. */
  NodeId greatest() {
    return extreme(1);
  }

  /** The node that has least. */
  NodeId least() {
    return extreme(-1);
  }

  private NodeId extreme(int sign) {
    NodeId found = null;
    for (Map.Entry<NodeId, Double> entry : ofNode.entrySet()) {
      if (found == null || sign * entry.getValue() > sign * of(found)) {
        found = entry.getKey();
      }
    }
    return Invariant.present(found, "some node is a primary");
  }

  /** The shard at a node that has least, and of those the one with the fewest subtrees. */
  int shardAt(NodeId node) {
    int best = -1;
    for (int shard = 0; shard < ofShard.length; shard++) {
      if (node.equals(primaries.get(shard)) && (best < 0 || isLess(shard, best))) {
        best = shard;
      }
    }
    Invariant.holds(best >= 0, "the node is a primary: %s", node);
    return best;
  }

  private boolean isLess(int shard, int other) {
    return subtrees[shard] != subtrees[other]
        ? subtrees[shard] < subtrees[other]
        : ofShard[shard] < ofShard[other];
  }

  /** Some share goes to a new subtree in another shard, where it is another one. */
  void move(int from, double less, int to, double more) {
    add(from, -less);
    add(to, more);
    subtrees[to]++;
  }

  private void add(int shard, double share) {
    ofShard[shard] += share;
    NodeId node = primaries.get(shard);
    if (node != null) {
      ofNode.merge(node, share, Double::sum);
    }
  }

  /** For people. */
  @Override
  public String toString() {
    return new HashMap<>(ofNode).toString();
  }
}
