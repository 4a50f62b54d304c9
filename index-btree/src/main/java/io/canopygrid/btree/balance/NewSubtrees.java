package io.canopygrid.btree.balance;

import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives new subtrees their kcls: the shard is chosen for balance ({@link ShardChoice}), the kcl is
 * 64 bits mixed from the node's id and a counter. Uniqueness does not rest on chance: the
 * transaction that gives birth to a subtree validates that the kcl has never had a header.
 * Thread-safe.
 */
public final class NewSubtrees {
  /** Weyl increment of SplitMix64 (Steele et al., OOPSLA 2014). */
  private static final long INCREMENT = 0x9E3779B97F4A7C15L;

  private final GmuNode node;
  private final AtomicLong state;

  /** New subtrees made by a node. */
  public NewSubtrees(GmuNode node) {
    this.node = node;
    this.state = new AtomicLong(mix(node.self().value()));
  }

  /** A kcl that was never used, where there is room; in the first shard that can be reached. */
  public long first() {
    return next(Closing.ANY_SHARD, 0);
  }

  /** Kcls that were never used, so many, in shards where there is room. */
  public long[] several(int count) {
    int[] shards =
        ShardChoice.several(count, node.top(), node.shardMap(), node.topology(), node.self());
    return Arrays.stream(shards).mapToLong(this::inShard).toArray();
  }

  /**
   * A kcl that was never used.
   *
   * @param wanted its shard, {@link Closing#ANY_SHARD}: where there is room
   * @param fallback the shard where no other is available
   */
  long next(int wanted, int fallback) {
    return inShard(
        wanted != Closing.ANY_SHARD
            ? wanted
            : ShardChoice.choose(
                node.top(), node.shardMap(), node.topology(), node.self(), fallback));
  }

  long inShard(int shard) {
    ShardMap shards = node.shardMap();
    long kcl;
    do {
      kcl = mix(state.addAndGet(INCREMENT));
    } while (!SubtreeHeader.isSubtree(kcl) || shards.shardOf(kcl) != shard);
    return kcl;
  }

  private static long mix(long z) {
    long a = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ a >>> 27) * 0x94D049BB133111EBL;
    return b ^ b >>> 31;
  }
}
