package io.canopygrid.gmu.infinispan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The grids that this JVM's cache manager is or becomes a member of, by cache. Thread-safe. */
final class GridHosts {
  private final Map<String, TopologyInstaller> byCache = new ConcurrentHashMap<>();

  /** Of the grids on disks. */
  private final Map<String, Absences> absences = new ConcurrentHashMap<>();

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

  /** These are asked from now on whether a member of a grid on disks is awaited. */
  void addAbsences(String cacheName, Absences ofGrid) {
    absences.put(cacheName, ofGrid);
  }

  /** Whether there is a grid on disks. */
  boolean haveDisks() {
    return !absences.isEmpty();
  }

  /** Whether shards are not to be given to others, as a member that has them is awaited. */
  boolean awaitOne() {
    return absences.values().stream().anyMatch(Absences::isAwaited);
  }

  void remove(String cacheName) {
    byCache.remove(cacheName);
    absences.remove(cacheName);
  }
}
