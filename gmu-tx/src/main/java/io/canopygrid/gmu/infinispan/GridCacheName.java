package io.canopygrid.gmu.infinispan;

import org.infinispan.configuration.ConfigurationManager;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.partitionhandling.PartitionHandling;

/** The names of the caches by which Infinispan decides who has a grid's shards. */
final class GridCacheName {
  private static final String PREFIX = "canopy.";

  /** The name of a template that Infinispan takes for each cache of a grid it does not know. */
  private static final String ANY = PREFIX + "*";

  private GridCacheName() {}

  static String of(String grid) {
    return PREFIX + grid;
  }

  static boolean isOne(String cacheName) {
    return cacheName.startsWith(PREFIX);
  }

  /**
   * Lets a node lead a grid that it is not a member of, or not yet. Of a cache that it has no
   * settings of Infinispan believes that each part of a cut goes on, so that two grids would serve.
   * A grid whose shards have one owner each waits for a member that it has lost under such a
   * leader.
   */
  static void defineAny(ConfigurationManager configurations) {
    ConfigurationBuilder any = new ConfigurationBuilder();
    any.template(true)
        .clustering()
        .cacheMode(CacheMode.DIST_SYNC)
        .partitionHandling()
        .whenSplit(PartitionHandling.DENY_READ_WRITES);
    configurations.putConfiguration(ANY, any);
  }
}
