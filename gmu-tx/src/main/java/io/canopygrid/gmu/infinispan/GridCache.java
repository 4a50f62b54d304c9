package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import org.infinispan.Cache;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.LocalTopologyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache of one grid, which has no entries: Infinispan decides by it who has which shard.
 * Thread-safe.
 */
final class GridCache {
  private static final Logger LOG = LoggerFactory.getLogger(GridCache.class);
  private static final long LEAVE_TIMEOUT_MILLIS = 1_000;

  private final EmbeddedCacheManager caches;
  private final boolean ownsCaches;
  private final GridSettings settings;
  private final String name;
  private final LocalTopologyManager topologies;

  /**
   * Not started.
   *
   * @param ownsCaches whether the cache manager ends with it
   */
  GridCache(
      EmbeddedCacheManager caches,
      boolean ownsCaches,
      GridSettings settings,
      LocalTopologyManager topologies) {
    this.caches = caches;
    this.ownsCaches = ownsCaches;
    this.settings = settings;
    this.name = "canopy." + settings.name();
    this.topologies = topologies;
  }

  String name() {
    return name;
  }

  /** Joins; returns when this node has its part. */
  void start() {
    caches.defineConfiguration(name, settings.cache());
    caches.getCache(name);
  }

  /** The newest topology that Infinispan knows; null before the first. */
  @Nullable CacheTopology topology() {
    return topologies.getCacheTopology(name);
  }

  /** Whether a node was a member when all was well the last time. */
  boolean countsOn(NodeId node) {
    CacheTopology stable = topologies.getStableCacheTopology(name);
    return stable != null
        && stable.getMembers().stream().map(TopologyMapping::nodeId).anyMatch(node::equals);
  }

  /** Leaves. */
  void stop() {
    try {
      Cache<?, ?> cache = caches.getCache(name, false);
      if (cache != null) {
        cache.stop();
      }
    } catch (RuntimeException e) {
      // One that has not come up cannot be had: Infinispan throws again what it failed with.
      LOG.debug("{} cannot be stopped", name, e);
    }
  }

  /** Tells Infinispan's leader once more. */
  void leaveAgain() {
    topologies.leave(name, LEAVE_TIMEOUT_MILLIS);
  }

  /** Forgets it, or ends the cache manager. */
  void remove() {
    if (ownsCaches) {
      caches.stop();
    } else {
      caches.undefineConfiguration(name);
    }
  }
}
