package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.bootstrap.Bootstrap;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.gmu.spi.Fences;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A violated invariant halts the node, whichever thread of the host's finds it: one that Infinispan
 * or JGroups has lent, or one that ends a wait, where a future would hold what was thrown.
 */
@NullUnmarked // nothing of what arrives is looked at
@Timeout(120)
final class HostHaltsTest {
  private static final GridSettings SETTINGS =
      new GridSettings("halts", 4, 2, 20_000, 1 << 26, NodeSettings.DEFAULT);

  private final List<HostedNode> nodes = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();
  private GridHost host;
  private HostedNode node;

  /** Something that reaches the host from outside. */
  interface Arrival {
    void at(TopologyInstaller topologies, NodeId self);
  }

  @BeforeEach
  void found() throws IOException {
    host = host();
    node = join(host);
  }

  @AfterEach
  void close() {
    nodes.forEach(HostedNode::close);
  }

  private GridHost host() throws IOException {
    int port = freePort();
    NetworkSettings network =
        new NetworkSettings("127.0.0.1", port, List.copyOf(addresses), 10_000, Optional.empty());
    addresses.add("127.0.0.1:" + port);
    Bootstrap.Started started =
        new Bootstrap(SETTINGS.name(), SETTINGS.joinTimeoutMillis(), network, caches -> {})
            .start(addresses.size() == 1, false);
    return new GridHost(SETTINGS, started.caches(), true, null, TreeMapStore.FACTORY, Fences.NONE);
  }

  /** A port below those that systems give to outgoing connections, with those of its node. */
  private static int freePort() throws IOException {
    IOException last = new IOException("never tried");
    for (int i = 0; i < 1_000; i++) {
      int port = 12_000 + 300 * ThreadLocalRandom.current().nextInt(26);
      port += ThreadLocalRandom.current().nextInt(100);
      try {
        for (int taken : NetworkSettings.portsOf(port).toArray()) {
          new ServerSocket(taken, 1, InetAddress.getLoopbackAddress()).close();
        }
        return port;
      } catch (IOException inUse) {
        last = inUse;
      }
    }
    throw last;
  }

  private HostedNode join(GridHost of) {
    HostedNode joined = of.join(nodes.isEmpty(), () -> null);
    nodes.add(joined);
    return joined;
  }

  static Stream<Arguments> theArrivals() {
    Arrival asked = (topologies, self) -> topologies.onStatusAsked(1, null, Set.of(self));
    Arrival answer = (topologies, self) -> topologies.answer(null);
    Arrival degraded = (topologies, self) -> topologies.onAvailability(false);
    Arrival topology = (topologies, self) -> topologies.onTopology(9, null, null);
    return Stream.of(
        arguments(TopologyInstaller.class, "received", topology),
        arguments(Availability.class, "degraded", degraded),
        arguments(TopologyRecovery.class, "asked", asked),
        arguments(TopologyRecovery.class, "answer", answer));
  }

  /** Infinispan's threads. */
  @ParameterizedTest(name = "{1}")
  @MethodSource("theArrivals")
  void whatInfinispanTells(Class<?> owner, String planted, Arrival arrival) throws Exception {
    List<Replacement> broken = List.of(Replacement.violating(owner, planted));
    Replacement.during(
        broken,
        () -> {
          arrival.at(host.topologies(), node.self());
          return true;
        });
    Replacement.requireCalled(broken);
    assertHalted();
  }

  @Test
  void aView() {
    assertHaltsWhereAnotherJoins(host.topologies(), "onView");
  }

  @Test
  void aMessage() {
    assertHaltsWhereAnotherJoins(host, "onHandshake");
  }

  /** A topology with a newcomer is installed at the end of a wait, or by a timer. */
  @Test
  void aTopologyThatWaits() {
    assertHaltsWhereAnotherJoins(host.topologies(), "hand");
  }

  private void assertHaltsWhereAnotherJoins(Object at, String planted) {
    Replacement.during(
        List.of(Replacement.violatingAt(at, planted)),
        () -> {
          joinsInVain();
          return awaitFailure();
        });
    assertHalted();
  }

  /** The other node has nobody to join once this one has halted. */
  private void joinsInVain() {
    for (int attempt = 0; attempt < 3 && node.failure() == null; attempt++) {
      try {
        join(host());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (JoinException e) {
        assertThat(e).isNotNull();
      }
    }
  }

  /** A timer's executor says nothing of what goes wrong. */
  @Test
  void aTimersTask() throws Exception {
    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    try {
      TaskTimer timer = TaskTimer.of(executor, node::enter);
      timer.run(
          () -> {
            throw new InvariantViolation("planted");
          },
          0);
      assertHalted();
    } finally {
      executor.shutdownNow();
    }
  }

  private boolean awaitFailure() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (node.failure() == null && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    return node.failure() != null;
  }

  private void assertHalted() {
    assertThat(awaitFailure()).isTrue();
    assertThat(node.failure())
        .isInstanceOf(InvariantViolation.class)
        .hasMessageContaining("planted");
    assertThat(node.isReady()).isFalse();
  }
}
