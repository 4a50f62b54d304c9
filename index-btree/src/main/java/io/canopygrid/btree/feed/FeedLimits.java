package io.canopygrid.btree.feed;

/**
 * The size of one answer about the changes in a shard: it ends soon after one of these is reached.
 *
 * @param commitsMax commits
 * @param bytesMax bytes of keys and values
 * @param lookedMax commits that are looked at, of whichever index
 */
public record FeedLimits(int commitsMax, int bytesMax, int lookedMax) {
  /** Small enough that the answers of all shards of a grid fit into memory. */
  public static final FeedLimits DEFAULT = new FeedLimits(256, 64 * 1024, 20_000);
}
