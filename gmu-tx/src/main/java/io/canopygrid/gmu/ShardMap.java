package io.canopygrid.gmu;

import io.canopygrid.clock.ShardSet;

/**
 * The map from kcls to shards: {@code hash(kcl) mod shards}, fixed when the grid is created. The
 * kcls 0 to {@link #TOP_KCL} are in TOP, whose number is {@code shards}.
 *
 * @param shards how many there are besides TOP, at least 1
 */
public record ShardMap(int shards) {
  /** The kcls from 0 to this one are in TOP. */
  public static final long TOP_KCL = 15;

  /**
   * The kcls from minus this one to -1 are for what the layers above note of their own work: small,
   * and written with what users write. All others above {@link #TOP_KCL} or below are for entries.
   */
  public static final long NOTE_KCLS = 1L << 20;

  public ShardMap {
    if (shards < 1) {
      throw new IllegalArgumentException("must be >= 1: shards=" + shards);
    }
  }

  public int top() {
    return shards;
  }

  /** Whether a kcl is for entries of users. */
  public static boolean isOfEntries(long kcl) {
    return kcl > TOP_KCL || kcl < -NOTE_KCLS;
  }

  /** A kcl of a shard; the lowest one above {@link #TOP_KCL}, or the lowest of all for TOP. */
  public long kclIn(int shard) {
    long kcl = shard == top() ? 0 : TOP_KCL + 1;
    while (shardOf(kcl) != shard) {
      kcl++;
    }
    return kcl;
  }

  /** All shards, TOP included. */
  public ShardSet all() {
    ShardSet all = ShardSet.EMPTY;
    for (int shard = 0; shard <= shards; shard++) {
      all = all.with(shard);
    }
    return all;
  }

  public int shardOf(long kcl) {
    if (kcl >= 0 && kcl <= TOP_KCL) {
      return shards;
    }
    long mixed = kcl * 0x9E3779B97F4A7C15L;
    return (int) Long.remainderUnsigned(mixed ^ mixed >>> 32, shards);
  }
}
