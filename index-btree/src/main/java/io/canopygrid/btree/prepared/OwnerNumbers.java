package io.canopygrid.btree.prepared;

import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers for prepared transactions: 64 bits mixed from the node's id and a counter. Uniqueness
 * does not rest on chance: the first step validates that there is no redo log of the number, nor
 * was there one of late. Thread-safe.
 */
final class OwnerNumbers {
  /** Weyl increment of SplitMix64 (Steele et al., OOPSLA 2014). */
  private static final long INCREMENT = 0x9E3779B97F4A7C15L;

  private final ShardMap shards;
  private final AtomicLong state;

  OwnerNumbers(GmuNode node) {
    this.shards = node.shardMap();
    this.state = new AtomicLong(mix(mix(node.self().value())));
  }

  /** A number whose redo log is in a shard. */
  long inShard(int shard) {
    long owner;
    do {
      owner = mix(state.addAndGet(INCREMENT));
    } while (RedoLog.shardOf(shards, owner) != shard);
    return owner;
  }

  private static long mix(long z) {
    long a = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ a >>> 27) * 0x94D049BB133111EBL;
    return b ^ b >>> 31;
  }
}
