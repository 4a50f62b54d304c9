package io.canopygrid.btree.load;

import io.canopygrid.gmu.NodeId;
import java.util.List;
import java.util.Map;

/**
 * The load of a node, as the node itself tells it.
 *
 * @param node the node
 * @param served the subtrees that it serves, in the order of the crown
 * @param uses how much the callers in its own JVM use subtrees, its own and others, as {@link
 *     SubtreeLoad#perSecond}; by kcl
 */
public record NodeLoad(NodeId node, List<SubtreeLoad> served, Map<Long, Double> uses) {
  /** The word of a node that does not know its load: it counts as one that does not answer. */
  public static final NodeLoad UNKNOWN = new NodeLoad(new NodeId(0), List.of(), Map.of());

  /** Copies list and map. */
  public NodeLoad {
    served = List.copyOf(served);
    uses = Map.copyOf(uses);
  }
}
