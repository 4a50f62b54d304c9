package io.canopygrid.gmu.infinispan;

import io.canopygrid.Durability;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.NodeStorage;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.internal.PrivateCacheConfigurationBuilder;
import org.infinispan.distribution.ch.impl.DefaultConsistentHashFactory;
import org.infinispan.distribution.ch.impl.TopologyAwareConsistentHashFactory;
import org.infinispan.partitionhandling.PartitionHandling;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a grid. Name, shards and owners must be the same at all its nodes.
 *
 * @param name at least one character; grids of different names do not see each other
 * @param shards how many there are besides TOP, 1 to {@value #SHARDS_MAX}; fixed when the first
 *     node starts
 * @param owners how many nodes have each shard, at least 1. With 1 there is no copy: what a node
 *     has is lost when it leaves or dies, and its shards begin empty elsewhere. With 2 or more, a
 *     grid that loses half of its nodes at once, or all owners of a shard, refuses everything until
 *     they are back; with two nodes that is one of them
 * @param joinTimeoutMillis after which a node gives up to join, at least 1
 * @param stateBytesPerSecond how fast the node hands shards on, {@value
 *     #STATE_BYTES_PER_SECOND_MIN} or more: with less a learner that hears nothing for so long
 *     would ask for a shard again
 * @param node how the node runs; made for as many failures at once as leave a shard an owner
 * @param leaveTimeoutMillis how long the node waits until it can leave without loss, at least 0
 * @param dataDirectory where the node keeps its data on disk; null: in memory only
 * @param durability of a grid whose nodes have data directories; without one it says nothing
 * @param diskReserve the bytes that are kept back on the disk of the data directory, at least 0;
 *     null: as many as {@code DirectoryRoom.reserve} says
 * @param diskTimeoutMillis the node ends when that disk has taken nothing for so long, at least 1
 * @param rejoinGraceMillis for how long the shards of this node go to no other one when it stops
 *     with its disk, at least 0
 */
public record GridSettings(
    String name,
    int shards,
    int owners,
    long joinTimeoutMillis,
    long stateBytesPerSecond,
    NodeSettings node,
    long leaveTimeoutMillis,
    @Nullable Path dataDirectory,
    Durability durability,
    @Nullable Long diskReserve,
    long diskTimeoutMillis,
    long rejoinGraceMillis) {
  /** More shards than anyone needs; the wire's bound is above it. */
  public static final int SHARDS_MAX = 65_000;

  /** Four chunks of state in a second. */
  public static final int STATE_BYTES_PER_SECOND_MIN = 1 << 20;

  private static final long LEAVE_TIMEOUT_MILLIS = 30_000;
  private static final long REMOTE_MILLIS_MAX = 15_000;

  public GridSettings {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a grid needs a name");
    }
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new IllegalArgumentException("must be 1 to " + SHARDS_MAX + ": shards=" + shards);
    }
    if (owners < 1) {
      throw new IllegalArgumentException("must be >= 1: owners=" + owners);
    }
    if (joinTimeoutMillis < 1) {
      throw new IllegalArgumentException("must be >= 1: joinTimeoutMillis=" + joinTimeoutMillis);
    }
    if (stateBytesPerSecond < STATE_BYTES_PER_SECOND_MIN) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "must be >= %d: stateBytesPerSecond=%d",
              STATE_BYTES_PER_SECOND_MIN,
              stateBytesPerSecond));
    }
    if (leaveTimeoutMillis < 0) {
      throw new IllegalArgumentException("must be >= 0: leaveTimeoutMillis=" + leaveTimeoutMillis);
    }
    if (diskTimeoutMillis < 1) {
      throw new IllegalArgumentException("must be >= 1: diskTimeoutMillis=" + diskTimeoutMillis);
    }
    if (rejoinGraceMillis < 0) {
      throw new IllegalArgumentException("must be >= 0: rejoinGraceMillis=" + rejoinGraceMillis);
    }
    node = node.withFailuresAtOnce(Math.max(1, owners - 1));
  }

  /**
   * Settings with which a node keeps its data in memory, and waits up to 30 s until it can leave
   * without loss.
   */
  public GridSettings(
      String name,
      int shards,
      int owners,
      long joinTimeoutMillis,
      long stateBytesPerSecond,
      NodeSettings node) {
    this(
        name,
        shards,
        owners,
        joinTimeoutMillis,
        stateBytesPerSecond,
        node,
        LEAVE_TIMEOUT_MILLIS,
        null,
        Durability.ASYNC,
        null,
        NodeStorage.TIMEOUT_MILLIS,
        0);
  }

  /** The map from kcls to shards. */
  public ShardMap shardMap() {
    return new ShardMap(shards);
  }

  /**
   * The configuration of the cache that decides which nodes have which shard; without entries.
   *
   * @param isOnDisk whether nodes may have shards on disk from before they started
   * @param hasZone whether this node says where it is. Where it leads, copies go to different zones
   */
  Configuration cache(boolean isOnDisk, boolean hasZone) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    if (isOnDisk) {
      // By default Infinispan places shards by the addresses of nodes, which are new after each
      // start, so that the first node that comes or goes would move most of them.
      // In memory it takes the one that knows of zones by itself, where a node has one.
      builder
          .addModule(PrivateCacheConfigurationBuilder.class)
          .consistentHashFactory(
              hasZone
                  ? new TopologyAwareConsistentHashFactory()
                  : DefaultConsistentHashFactory.getInstance());
    }
    builder
        .clustering()
        .cacheMode(CacheMode.DIST_SYNC)
        // Infinispan takes no shorter time for the whole than for one answer.
        .remoteTimeout(Math.min(REMOTE_MILLIS_MAX, joinTimeoutMillis), TimeUnit.MILLISECONDS)
        .hash()
        .numSegments(shards())
        .numOwners(owners())
        .stateTransfer()
        // Its time is over though something comes: JoinSteps waits instead.
        .awaitInitialTransfer(false)
        .timeout(joinTimeoutMillis(), TimeUnit.MILLISECONDS)
        .partitionHandling()
        // With one owner Infinispan takes nothing else: every departure loses shards.
        .whenSplit(
            owners() == 1
                ? PartitionHandling.ALLOW_READ_WRITES
                : PartitionHandling.DENY_READ_WRITES);
    return builder.build();
  }
}
