package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.topology.CacheTopology;

/**
 * The copies of shards by a topology of Infinispan's. The newest one says more than the one that
 * the node has installed, which may be an older one with the same copies ({@link DeferredInstall}).
 */
record Copies(CacheTopology topology) {
  /** Whether none moves, and Infinispan has the same members. */
  boolean areAtRest(Collection<NodeId> members) {
    return topology.getPhase() == CacheTopology.Phase.NO_REBALANCE
        && topology.getActualMembers().stream()
            .map(TopologyMapping::nodeId)
            .collect(Collectors.toSet())
            .equals(Set.copyOf(members));
  }

  /** The number of shards that have fewer copies than that. */
  long fewerThan(int copies) {
    return owners().stream().filter(owners -> owners.size() < copies).count();
  }

  /** The number of shards that a node has, and none of those nodes does. */
  long lastAt(NodeId node, Set<NodeId> present) {
    return owners().stream()
        .filter(owners -> owners.contains(node))
        .filter(
            owners -> owners.stream().noneMatch(any -> !any.equals(node) && present.contains(any)))
        .count();
  }

  private List<List<NodeId>> owners() {
    ConsistentHash hash = topology.getReadConsistentHash();
    return IntStream.range(0, hash.getNumSegments())
        .mapToObj(hash::locateOwnersForSegment)
        .map(owners -> owners.stream().map(TopologyMapping::nodeId).toList())
        .toList();
  }
}
