package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.factories.GlobalComponentRegistry;
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

  // Guarded by this object.
  private @Nullable Thread starting;
  private boolean stopped;

  /**
   * Not started.
   *
   * @param ownsCaches whether the cache manager ends with it
   */
  GridCache(EmbeddedCacheManager caches, boolean ownsCaches, GridSettings settings) {
    this.caches = caches;
    this.ownsCaches = ownsCaches;
    this.settings = settings;
    this.name = "canopy." + settings.name();
    this.topologies = GlobalComponentRegistry.of(caches).getComponent(LocalTopologyManager.class);
  }

  String name() {
    return name;
  }

  /**
   * Joins; returns when this node has its part.
   *
   * @throws RuntimeException where it fails, or was stopped meanwhile
   */
  void start() {
    synchronized (this) {
      if (stopped) {
        throw new IllegalLifecycleStateException(name + " was stopped");
      }
      Invariant.holds(starting == null, "%s starts twice", name);
      starting = Thread.currentThread();
    }
    try {
      caches.defineConfiguration(name, settings.cache());
      caches.getCache(name);
    } finally {
      hasStarted();
    }
  }

  private synchronized void hasStarted() {
    starting = null;
    if (stopped) {
      Thread.interrupted(); // was for what has just ended
    }
    notifyAll();
  }

  /** Infinispan waits for the shards until the join timeout, also where there is nothing to get. */
  private synchronized void endStart() throws InterruptedException {
    stopped = true;
    if (starting != null) {
      starting.interrupt();
    }
    while (starting != null) {
      wait();
    }
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

  /** Leaves; a thread that waits for the start waits no longer. */
  void stop() {
    try {
      endStart();
      // A cache that is not running was stopped by Infinispan, which would start it again here.
      if (caches.isRunning(name)) {
        caches.getCache(name).stop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
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
