package io.canopygrid.gmu.infinispan;

/** The names of the caches by which Infinispan decides who has a grid's shards. */
final class GridCacheName {
  private static final String PREFIX = "canopy.";

  private GridCacheName() {}

  static String of(String grid) {
    return PREFIX + grid;
  }

  static boolean isOne(String cacheName) {
    return cacheName.startsWith(PREFIX);
  }
}
