package io.canopygrid.gmu.infinispan.bootstrap;

import org.infinispan.manager.EmbeddedCacheManager;

/** Starts an Infinispan for tests of other packages. */
public final class TestInfinispan {
  private TestInfinispan() {}

  /** {@link OwnInfinispan#start}. */
  public static EmbeddedCacheManager start(
      String clusterName, NetworkSettings network, long patienceMillis) {
    return OwnInfinispan.start(clusterName, network, caches -> {}, patienceMillis);
  }
}
