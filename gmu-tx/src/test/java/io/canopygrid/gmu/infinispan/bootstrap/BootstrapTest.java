package io.canopygrid.gmu.infinispan.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.FoundingPolicy;
import io.canopygrid.gmu.infinispan.FreePort;
import io.canopygrid.gmu.infinispan.GridSettings;
import io.canopygrid.gmu.infinispan.InfinispanGrid;
import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node founds a grid only where there is none. */
@Timeout(60)
final class BootstrapTest {
  private static final String HOST = "127.0.0.1";

  private static ServerSocket silentListener() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static GridSettings settings(long joinTimeoutMillis) {
    return new GridSettings("arrival", 4, 2, joinTimeoutMillis, 1 << 26, NodeSettings.DEFAULT);
  }

  private static NetworkSettings network(int port, int other) {
    return new NetworkSettings(HOST, port, List.of(HOST + ":" + other), 1_000, Optional.empty());
  }

  private static NetworkSettings network(int port, int other, Path stack) {
    return new NetworkSettings(HOST, port, List.of(HOST + ":" + other), 10_000, Optional.of(stack));
  }

  private static GmuNode join(long joinTimeoutMillis, NetworkSettings network) {
    return InfinispanGrid.join(
        settings(joinTimeoutMillis), network, TreeMapStore.FACTORY, Fences.NONE);
  }

  @Test
  void whoeverListensAtAnInitialHostMayBeTheGrid() throws IOException {
    try (ServerSocket hung = silentListener()) {
      int other = hung.getLocalPort();

      assertThatThrownBy(() -> join(1_500, network(FreePort.pick(), other)))
          .isInstanceOf(JoinException.class)
          .hasMessage(
              "somebody listens at 127.0.0.1:%d, but is not found to be a node of grid 'arrival'"
                  + " within 1500 ms",
              other)
          .extracting(e -> ((JoinException) e).reason())
          .isEqualTo(JoinException.Reason.TIMED_OUT);
    }
  }

  /** Takes no more connections: a packet to it is dropped, as behind a cut. */
  private static final class FullBacklog implements AutoCloseable {
    private final ServerSocket socket;
    private final List<Socket> waiting = new ArrayList<>();

    FullBacklog() throws IOException {
      socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      try {
        for (; ; ) {
          Socket next = new Socket();
          waiting.add(next);
          next.connect(socket.getLocalSocketAddress(), 200);
        }
      } catch (SocketTimeoutException full) {
        // the next one that connects waits, too
      }
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      for (Socket one : waiting) {
        one.close();
      }
      socket.close();
    }
  }

  private static NetworkSettings beside(FullBacklog silent, FoundingPolicy found) {
    String member = HOST + ":" + silent.port();
    return new NetworkSettings(
        HOST, FreePort.pick(), List.of(member), 1_000, Optional.empty(), found);
  }

  private static void assertFoundsNothing(FoundingPolicy found, String member, String why) {
    NetworkSettings network =
        new NetworkSettings(HOST, FreePort.pick(), List.of(member), 1_000, Optional.empty(), found);

    assertThatThrownBy(() -> join(1_500, network))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining(why)
        .extracting(e -> ((JoinException) e).reason())
        .isEqualTo(JoinException.Reason.TIMED_OUT);
  }

  @Test
  void aMemberThatDoesNotAnswerMayBeTheGrid() throws IOException {
    try (FullBacklog silent = new FullBacklog()) {
      String member = HOST + ":" + silent.port();

      assertFoundsNothing(FoundingPolicy.AUTO, member, member + " does not answer");
    }
  }

  @Test
  void aNodeWithAGridOnItsDiskWaitsForOtherDisksAndNotForAMachine() throws IOException {
    try (FullBacklog silent = new FullBacklog()) {
      NetworkSettings network = beside(silent, FoundingPolicy.NEVER);
      Bootstrap.Started started =
          new Bootstrap("arrival", 1_500, network, caches -> {}).start(true, true);
      try (EmbeddedCacheManager caches = started.caches()) {
        assertThat(caches.getMembers()).hasSize(1);
        assertThat(started.objection().get()).isNull();
      }
    }
  }

  @Test
  void aMemberWhoseNameIsUnknownMayBeTheGrid() {
    assertFoundsNothing(
        FoundingPolicy.AUTO, "nowhere.invalid:7800", "nowhere.invalid:7800 does not answer");
  }

  @Test
  void anOperatorCanSayThatTheSilentMemberIsGone() throws IOException {
    try (FullBacklog silent = new FullBacklog()) {
      NetworkSettings network = beside(silent, FoundingPolicy.ALWAYS);
      try (GmuNode node = join(30_000, network)) {
        assertThat(node.topology().members()).hasSize(1);
      }
    }
  }

  @Test
  void aNodeThatMayNotFoundWaitsEvenWhereAllOthersAreAbsent() {
    assertFoundsNothing(
        FoundingPolicy.NEVER, HOST + ":" + FreePort.pick(), "this one may not begin one");
  }

  /** The words of the two hang on what each saw last: members cut off, or the other one start. */
  @Test
  @Timeout(240)
  void aMinorityFoundsNothingAndAMajorityDoes() throws Exception {
    try (FullBacklog cutOff = new FullBacklog();
        FullBacklog alsoCutOff = new FullBacklog()) {
      List<Integer> ports = List.of(FreePort.pick(), FreePort.pick(), FreePort.pick());
      List<String> members =
          Stream.concat(ports.stream(), Stream.of(cutOff.port(), alsoCutOff.port()))
              .map(port -> HOST + ":" + port)
              .toList();
      List<CompletableFuture<GmuNode>> two =
          ports.subList(0, 2).stream().map(port -> joining(6_000, port, members)).toList();

      for (CompletableFuture<GmuNode> one : two) {
        assertThatThrownBy(() -> one.get(60, TimeUnit.SECONDS))
            .cause()
            .isInstanceOf(JoinException.class)
            .extracting(e -> ((JoinException) e).reason())
            .isIn(JoinException.Reason.TIMED_OUT, JoinException.Reason.LEFT_ALONE);
      }

      List<CompletableFuture<GmuNode>> three =
          ports.stream().map(port -> joining(60_000, port, members)).toList();
      for (CompletableFuture<GmuNode> one : three) {
        assertThat(one.get(90, TimeUnit.SECONDS)).isNotNull();
      }
      for (CompletableFuture<GmuNode> one : three) {
        assertThat(one.join().topology().members()).hasSize(3);
      }
      for (CompletableFuture<GmuNode> one : three) {
        one.join().close();
      }
    }
  }

  private static CompletableFuture<GmuNode> joining(
      long joinTimeoutMillis, int port, List<String> members) {
    NetworkSettings network = new NetworkSettings(HOST, port, members, 10_000, Optional.empty());
    return CompletableFuture.supplyAsync(
        () -> join(joinTimeoutMillis, network), task -> new Thread(task).start());
  }

  @Test
  void itJoinsWhomItDidNotFindAtFirst() throws Exception {
    int founder = FreePort.pick();
    ServerSocket hung = new ServerSocket(founder, 50, InetAddress.getLoopbackAddress());
    NetworkSettings late = network(FreePort.pick(), founder);
    CompletableFuture<GmuNode> joining =
        CompletableFuture.supplyAsync(() -> join(30_000, late), task -> new Thread(task).start());
    // The node connects at least twice: JGroups does, and so does the search for other nodes.
    hung.accept().close();
    hung.accept().close();
    hung.close();
    try (GmuNode first = join(30_000, network(founder, late.port()));
        GmuNode second = joining.get(40, TimeUnit.SECONDS)) {
      assertThat(first.topology().members()).hasSize(2);
      assertThat(second.topology().members()).hasSize(2);
    }
  }

  @Test
  void whoIsNotLetInStartsAgain(@TempDir Path directory) throws IOException {
    Path stack = StackFile.onTop(HardOfHearingProtocol.class, directory);
    int port = FreePort.pick();
    int other = FreePort.pick();
    try (GmuNode first = join(30_000, network(port, other, stack))) {
      HardOfHearingProtocol.STARTED.set(0);
      HardOfHearingProtocol.STARTS.set(1);

      try (GmuNode second = join(9_900, network(other, port, stack))) {
        assertThat(HardOfHearingProtocol.STARTED).hasValue(2);
        assertThat(second.topology().members()).hasSize(2);
        assertThat(first.topology().members()).hasSize(2);
      }
    }
  }

  @Test
  void whoseStepsIntoTheClusterAreNotConfirmedGivesUpAndLeavesNothing(@TempDir Path directory)
      throws IOException {
    assertGivesUp(StackFile.onTop(HardOfHearingProtocol.class, directory));
  }

  @Test
  void whoIsNotAnsweredGivesUpAndLeavesNothing(@TempDir Path directory) throws IOException {
    assertGivesUp(
        StackFile.with(HardOfHearingProtocol.class, ExchangeProtocol.class, true, directory));
  }

  @Test
  void whoIsInterruptedWhileItStartsEndsThat(@TempDir Path directory) throws Exception {
    Path stack = StackFile.onTop(HardOfHearingProtocol.class, directory);
    int port = FreePort.pick();
    int other = FreePort.pick();
    try (GmuNode first = join(30_000, network(port, other, stack))) {
      HardOfHearingProtocol.STARTED.set(0);
      HardOfHearingProtocol.STARTS.set(1);
      CompletableFuture<Boolean> keepsItsFlag = new CompletableFuture<>();
      Thread joining =
          new Thread(() -> {
            try {
              join(60_000, network(other, port, stack)).close();
              keepsItsFlag.completeExceptionally(new AssertionError("has joined"));
            } catch (CancellationException e) {
              keepsItsFlag.complete(Thread.currentThread().isInterrupted());
            } catch (RuntimeException e) {
              keepsItsFlag.completeExceptionally(e);
            }
          });
      joining.start();
      while (HardOfHearingProtocol.STARTED.get() == 0) {
        assertThat(keepsItsFlag).isNotDone();
        TimeUnit.MILLISECONDS.sleep(10);
      }
      TimeUnit.SECONDS.sleep(1); // until it waits for what it does not hear

      joining.interrupt();

      assertThat(keepsItsFlag.get(40, TimeUnit.SECONDS)).isTrue();
      try (GmuNode second = join(30_000, network(other, port, stack))) {
        assertThat(second.topology().members()).hasSize(2);
        assertThat(first.topology().members()).hasSize(2);
      }
    }
  }

  /** Where the first node is slow to answer, the other one may take itself for alone. */
  private static void assertGivesUp(Path stack) {
    int port = FreePort.pick();
    int other = FreePort.pick();
    try (GmuNode first = join(30_000, network(port, other, stack))) {
      HardOfHearingProtocol.STARTS.set(Integer.MAX_VALUE);

      assertThatThrownBy(() -> join(2_000, network(other, port, stack)))
          .isInstanceOf(JoinException.class)
          .hasMessageMatching(
              "the nodes of grid 'arrival' have not let this one in within 2000 ms"
                  + "|somebody listens at 127.0.0.1:"
                  + port
                  + ", but is not found to be a node of grid 'arrival' within 2000 ms")
          .extracting(e -> ((JoinException) e).reason())
          .isEqualTo(JoinException.Reason.TIMED_OUT);

      HardOfHearingProtocol.STARTS.set(0);
      try (GmuNode second = join(30_000, network(other, port, stack))) {
        assertThat(second.topology().members()).hasSize(2);
        assertThat(first.topology().members()).hasSize(2);
      }
    } finally {
      HardOfHearingProtocol.STARTS.set(0);
    }
  }

  @Test
  void whoMustNotFoundAGridDoesNot() throws IOException {
    Bootstrap bootstrap =
        new Bootstrap("arrival", 30_000, network(FreePort.pick(), FreePort.pick()), caches -> {});

    assertThatThrownBy(() -> bootstrap.start(false, false))
        .isInstanceOf(JoinException.class)
        .hasMessage("no other node of grid 'arrival' can be reached");
  }
}
