package io.canopygrid.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.junit.CanopyGrid;
import io.canopygrid.junit.CanopyTest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** A cache of the nodes of a cluster. */
@CanopyTest(nodes = 3)
final class CacheNodesTest {
  private static final int CALLS = 50;

  private static Cache<String, Long> visits(
      CanopyCachingProvider provider, CanopyGrid grid, int node) {
    Properties properties = new Properties();
    properties.put(CanopyCachingProvider.CANOPY, grid.node(node));
    return provider
        .getCacheManager(URI.create("canopy:node" + node), null, properties)
        .createCache(
            "visits",
            CanopyConfiguration.of(
                    new MutableConfiguration<String, Long>().setTypes(String.class, Long.class))
                .withKeys(Codec.string())
                .withValues(Codec.int64()));
  }

  private static void count(Cache<String, Long> visits) {
    for (int i = 0; i < CALLS; i++) {
      visits.invoke(
          "Ada",
          (entry, arguments) -> {
            entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
            return true;
          });
    }
  }

  @Test
  void countersOfAllNodesAddUpAndOutliveANode(CanopyGrid grid) throws Exception {
    try (CanopyCachingProvider provider = new CanopyCachingProvider()) {
      Cache<String, Long> one = visits(provider, grid, 0);
      Cache<String, Long> two = visits(provider, grid, 1);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      List<Future<?>> ends = new ArrayList<>();
      for (Cache<String, Long> cache : List.of(one, one, two, two)) {
        ends.add(threads.submit(() -> count(cache)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      threads.shutdown();
      assertThat(one.get("Ada")).isEqualTo(4L * CALLS);

      grid.kill(0);
      grid.awaitCopies();

      assertThat(two.get("Ada")).isEqualTo(4L * CALLS);
    }
  }
}
