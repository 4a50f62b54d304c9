package io.canopygrid.btree.balance;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.Map;

/**
 * Chooses the shard of a new subtree: the node that is the primary of the fewest subtrees, and on
 * it the shard that has the fewest. The choice counts the entries of the crown as it is now, so no
 * counts have to be kept up to date.
 *
 * <p>Among shards with as few subtrees, the next one is far from the last one. So while there are
 * fewer subtrees than shards, any part of the shards that a new node gets has about its part of the
 * subtrees.
 */
final class ShardChoice {
  /** With fewer shards, each has some subtrees soon in any order. */
  private static final int SPREAD_FROM = 16;

  private static final double GOLDEN = 0.618;

  private ShardChoice() {}

  /**
   * The shard for a new subtree.
   *
   * @param preferred the node that wins a tie: the one where the split runs, which then needs no
   *     other node
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

  /** The shards for some new subtrees, each chosen as if those before it were there. */
  static int[] several(
      int count,
      OrderedView<VersionChain> top,
      ShardMap shards,
      Topology topology,
      NodeId preferred) {
    int[] ofShard = new int[shards.shards()];
    Crown.forEach(top, entry -> ofShard[shards.shardOf(entry.kcl())]++);
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      chosen[i] = choose(ofShard, topology, preferred, 0);
      ofShard[chosen[i]]++;
    }
    return chosen;
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
    int stride = stride(ofShard.length);
    int shard = 0;
    for (int i = 0; i < ofShard.length; i++, shard = (shard + stride) % ofShard.length) {
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

  /** The step that leads through all of so many shards, with steps as far apart as possible. */
  private static int stride(int shards) {
    int stride = shards < SPREAD_FROM ? 1 : (int) (shards * GOLDEN);
    while (greatestCommonDivisor(shards, stride) > 1) {
      stride++;
    }
    return stride;
  }

  private static int greatestCommonDivisor(int a, int b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }

  private static boolean isAvailable(Topology topology, int shard) {
    return !topology.shard(shard).owners().isEmpty();
  }

  private static NodeId primary(Topology topology, int shard) {
    return topology.shard(shard).owners().get(0);
  }
}
