package io.canopygrid.gmu.infinispan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The grids that this JVM's cache manager is or becomes a member of, by cache. Thread-safe. */
final class GridHosts {
  private final Map<String, GridHost> byCache = new ConcurrentHashMap<>();

  @Nullable GridHost ofCache(String cacheName) {
    return byCache.get(cacheName);
  }

  /** False: there is one already. */
  boolean add(String cacheName, GridHost host) {
    return byCache.putIfAbsent(cacheName, host) == null;
  }

  /** All of them, by cache. */
  Map<String, GridHost> all() {
    return Map.copyOf(byCache);
  }

  void remove(String cacheName) {
    byCache.remove(cacheName);
  }
}
