package io.canopygrid.btree.balance;

import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.ShardMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes kcls that were never used, for a wanted shard: 64 bits mixed from a seed of this process
 * and a counter. That none is ever used twice does not rest on chance: the transaction that gives
 * birth to a subtree validates that its header has no version. Thread-safe.
 */
public final class KclSource {
  /** Weyl increment and mixing steps of SplitMix64 (Steele et al., OOPSLA 2014). */
  private static final long INCREMENT = 0x9E3779B97F4A7C15L;

  private final ShardMap shards;
  private final AtomicLong state;

  /**
   * A source of its own.
   *
   * @param seed differs between the members of a grid
   */
  public KclSource(ShardMap shards, long seed) {
    this.shards = shards;
    this.state = new AtomicLong(seed);
  }

  /** A kcl of a shard, which is not TOP. */
  public long next(int shard) {
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
