package io.canopygrid.btree.balance;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.store.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.Map;

/**
 * Chooses the shard of a new subtree: the node that is the primary of the fewest subtrees, and on
 * it the shard that has the fewest. Counts what the crown says now, so nothing has to be kept up to
 * date.
 */
final class Placement {
  private Placement() {}

  /**
   * The shard for a new subtree.
   *
   * @param preferred the node that wins a tie: where the split runs, as it then needs no other
   * @param fallback the shard where no other is available
   */
  static int choose(
      OrderedView<VersionChain> top,
      ShardMap shards,
      Topology topology,
      NodeId preferred,
      int fallback) {
    int[] ofShard = new int[shards.shards()];
    Crown.forEach(top, entry -> ofShard[shards.shardOf(entry.kcl())]++);
    return choose(ofShard, topology, preferred, fallback);
  }

  static int choose(int[] ofShard, Topology topology, NodeId preferred, int fallback) {
    Map<NodeId, Integer> ofNode = new HashMap<>();
    for (int shard = 0; shard < ofShard.length; shard++) {
      if (isAvailable(topology, shard)) {
        ofNode.merge(primary(topology, shard), ofShard[shard], Integer::sum);
      }
    }
    int best = fallback;
    long bestRank = Long.MAX_VALUE;
    for (int shard = 0; shard < ofShard.length; shard++) {
      if (!isAvailable(topology, shard)) {
        continue;
      }
      NodeId node = primary(topology, shard);
      long tie = node.equals(preferred) ? 0 : 1;
      long rank = ((2L * ofNode.getOrDefault(node, 0) + tie) << 31) + ofShard[shard];
      if (rank < bestRank) {
        bestRank = rank;
        best = shard;
      }
    }
    return best;
  }

  private static boolean isAvailable(Topology topology, int shard) {
    return !topology.shard(shard).owners().isEmpty();
  }

  private static NodeId primary(Topology topology, int shard) {
    return topology.shard(shard).owners().get(0);
  }
}
