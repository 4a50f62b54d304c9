package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.infinispan.bootstrap.Bootstrap;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.bootstrap.TestInfinispan;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Infinispan's leader decides who goes on, and need not be a member of the grid. */
@Timeout(120)
final class LeaderOutsideTest {
  private static final long PATIENCE_MILLIS = 30_000;
  private static final GridSettings SETTINGS =
      new GridSettings("test", 16, 2, PATIENCE_MILLIS, 1 << 26, NodeSettings.DEFAULT);

  private final List<String> hosts = new ArrayList<>();

  private NetworkSettings network() {
    int port = FreePort.pick();
    hosts.add("127.0.0.1:" + port);
    return new NetworkSettings("127.0.0.1", port, List.copyOf(hosts), 2_000, Optional.empty());
  }

  private EmbeddedCacheManager infinispan() {
    return TestInfinispan.start("test", network(), PATIENCE_MILLIS);
  }

  /** A half that went on would be a second grid, where the other half is only cut off. */
  @Test
  void halfOfTheMembersDoesNotGoOnUnderALeaderThatDoesNotKnowTheGrid() throws Exception {
    try (EmbeddedCacheManager leader = infinispan();
        EmbeddedCacheManager first = infinispan();
        EmbeddedCacheManager second = infinispan()) {
      assertThat(first.isCoordinator()).as("leads").isFalse();
      GmuNode node = InfinispanGrid.on(first, SETTINGS, TreeMapStore.FACTORY, Fences.NONE);
      GmuNode other = InfinispanGrid.on(second, SETTINGS, TreeMapStore.FACTORY, Fences.NONE);
      Entries.assertRead(other, Entries.write(node));

      channel(second).disconnect();

      AdvancedCache<?, ?> cache = first.getCache("canopy.test").getAdvancedCache();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
      while (cache.getAvailability() == AvailabilityMode.AVAILABLE) {
        assertThat(System.nanoTime()).as("%s is available", node.topology()).isLessThan(deadline);
        assertThat(node.topology().members()).as("the lost one is waited for").hasSize(2);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(leader.getMembers()).hasSize(2);
      assertThat(node.isReady()).isFalse();
      node.abandon();
      other.abandon();
      node.close();
      other.close();
    }
  }

  private static JChannel channel(EmbeddedCacheManager caches) {
    Transport network = GlobalComponentRegistry.of(caches).getComponent(Transport.class);
    return ((JGroupsTransport) network).getChannel();
  }

  /** Infinispan starts each cache that is no template together with its network. */
  @Test
  void aNodeKnowsTheGridBeforeOthersCanSeeItAndStartsItsCacheLater() throws Exception {
    Bootstrap bootstrap =
        new Bootstrap(
            "test",
            PATIENCE_MILLIS,
            network(),
            caches -> {
              assertThat(caches.getStatus()).isEqualTo(ComponentStatus.INSTANTIATED);
              GridCache.announce(caches, SETTINGS, false);
            });
    try (EmbeddedCacheManager caches = bootstrap.start(true, false).caches()) {
      assertThat(shards(caches)).isEqualTo(16);
      assertThat(caches.isRunning("canopy.test")).isFalse();
      GmuNode node = InfinispanGrid.on(caches, SETTINGS, TreeMapStore.FACTORY, Fences.NONE);
      Entries.assertRead(node, Entries.write(node));
      assertThat(shards(caches)).isEqualTo(16);
      node.close();
    }
  }

  /** The grid's own settings are taken, not those of the template that is there for all grids. */
  @Test
  void aGridInAnApplicationsInfinispanHasItsOwnSettings() throws Exception {
    try (EmbeddedCacheManager caches = infinispan()) {
      GmuNode node = InfinispanGrid.on(caches, SETTINGS, TreeMapStore.FACTORY, Fences.NONE);
      assertThat(shards(caches)).isEqualTo(16);
      node.close();
    }
  }

  private static int shards(EmbeddedCacheManager caches) {
    return caches.getCacheConfiguration("canopy.test").clustering().hash().numSegments();
  }
}
