package io.canopygrid.gmu.infinispan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The grids that this JVM's cache manager is or becomes a member of, by cache. Thread-safe. */
final class GridHosts {
  private final Map<String, TopologyInstaller> byCache = new ConcurrentHashMap<>();

  @Nullable TopologyInstaller ofCache(String cacheName) {
    return byCache.get(cacheName);
  }

  /** False: there is one already. */
  boolean add(String cacheName, TopologyInstaller topologies) {
    return byCache.putIfAbsent(cacheName, topologies) == null;
  }

  /** All of them, by cache. */
  Map<String, TopologyInstaller> all() {
    return Map.copyOf(byCache);
  }

  void remove(String cacheName) {
    byCache.remove(cacheName);
  }
}
