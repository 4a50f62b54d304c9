package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Some nodes in this JVM, over TCP on the loopback, each of which looks for those before it. */
abstract class LoopbackGrid {
  static final int SHARDS = 16;

  final List<GmuNode> nodes = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private Set<Thread> threadsBefore = Set.of();

  @BeforeEach
  final void rememberThreads() {
    threadsBefore = JvmThreads.all();
  }

  @AfterEach
  final void everyThreadHasEnded() throws InterruptedException {
    for (GmuNode node : nodes) {
      node.close();
    }
    JvmThreads.assertEnded(threadsBefore);
  }

  static GridSettings settings(int shards, int owners) {
    return new GridSettings("test", shards, owners, 30_000, 1 << 26, NodeSettings.DEFAULT);
  }

  /** The network of a node that looks for those before it. */
  final NetworkSettings network() {
    List<String> initialHosts = new ArrayList<>();
    for (int port : ports) {
      initialHosts.add("127.0.0.1:" + port);
    }
    int port = FreePort.pick();
    ports.add(port);
    return new NetworkSettings("127.0.0.1", port, initialHosts, 10_000, Optional.empty());
  }

  final GmuNode join(GridSettings settings) {
    GmuNode node = InfinispanGrid.join(settings, network(), TreeMapStore.FACTORY, Fences.NONE);
    nodes.add(node);
    return node;
  }
}
