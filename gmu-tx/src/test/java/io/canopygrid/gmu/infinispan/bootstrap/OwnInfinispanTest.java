package io.canopygrid.gmu.infinispan.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.FoundingPolicy;
import io.canopygrid.gmu.infinispan.FreePort;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.tls.Identities;
import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OwnInfinispanTest {
  @ParameterizedTest
  @CsvSource({"1000, 800, 160, 200", "10000, 9000, 1800, 1000"})
  void theFailureTimeoutIsSplitBetweenNoticingAndAskingOnceMore(
      long timeout, long silent, long interval, long verify) throws IOException {
    NetworkSettings network =
        new NetworkSettings("127.0.0.1", FreePort.pick(), List.of(), timeout, Optional.empty());
    try (EmbeddedCacheManager caches = TestInfinispan.start("times", network, 30_000)) {
      JGroupsTransport transport =
          (JGroupsTransport)
              GlobalComponentRegistry.of(caches).getComponent(Transport.class.getName());
      ProtocolStack stack = transport.getChannel().getProtocolStack();
      FD_ALL3 detector = stack.findProtocol(FD_ALL3.class);
      VERIFY_SUSPECT2 again = stack.findProtocol(VERIFY_SUSPECT2.class);

      assertThat(detector.getTimeout()).isEqualTo(silent);
      assertThat(detector.getInterval()).isEqualTo(interval);
      assertThat(again.getTimeout()).isEqualTo(verify);
    }
  }

  @Test
  void aFailureTimeoutBelowASecondIsRefused() {
    assertThatThrownBy(
            () -> new NetworkSettings("127.0.0.1", 7800, List.of(), 999, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be >= 1000: failureTimeoutMillis=999");
  }

  @Test
  void aStackFileThatIsNotThereOrIsNoneIsRefused(@TempDir Path directory) throws IOException {
    Path missing = directory.resolve("missing.xml");
    Path broken = Files.writeString(directory.resolve("broken.xml"), "<config><NO_SUCH/></config>");

    assertThatThrownBy(() -> TestInfinispan.start("stack", with(missing), 30_000))
        .isInstanceOf(JoinException.class)
        .hasMessage("stack: there is no file " + missing)
        .extracting(e -> ((JoinException) e).reason())
        .isEqualTo(JoinException.Reason.STACK_UNUSABLE);
    assertThatThrownBy(() -> TestInfinispan.start("stack", with(broken), 30_000))
        .isInstanceOf(JoinException.class)
        .hasMessageContaining("stack " + broken + " cannot be used")
        .hasMessageContaining("NO_SUCH");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    int port = FreePort.pick();
    try (ServerSocket own = listen(port)) {
      assertRefused(port, List.of(), Reason.PORT_IN_USE)
          .hasMessage(
              "port %d at 127.0.0.1 is in use, or the address is not this machine's",
              own.getLocalPort());
    }
    try (ServerSocket other = listen(port + 100)) {
      assertRefused(port, List.of(), Reason.PORT_IN_USE)
          .hasMessage(
              "watchPort %d (port %d + 100) at 127.0.0.1 is in use,"
                  + " or the address is not this machine's",
              other.getLocalPort(), port);
    }
    try (ServerSocket other = listen(port + 200)) {
      assertRefused(port, List.of(), Reason.PORT_IN_USE)
          .hasMessage(
              "exchangePort %d (port %d + 200) at 127.0.0.1 is in use,"
                  + " or the address is not this machine's",
              other.getLocalPort(), port);
    }
  }

  @Test
  void aFurtherPortThatIsGivenAndTakenIsNamed() throws IOException {
    int port = FreePort.pick();
    try (ServerSocket other = listen(FreePort.pick())) {
      int taken = other.getLocalPort();
      assertThatThrownBy(() -> TestInfinispan.start("given", further(port, taken, 0), 30_000))
          .hasMessageStartingWith("watchPort %d at 127.0.0.1 is in use", taken);
      assertThatThrownBy(() -> TestInfinispan.start("given", further(port, 0, taken), 30_000))
          .hasMessageStartingWith("exchangePort %d at 127.0.0.1 is in use", taken);
    }
  }

  @Test
  void furtherPortsAreWhereTheyAreWanted() throws IOException {
    int port = FreePort.pick();
    NetworkSettings network = further(port, port + 1, port + 2);
    try (EmbeddedCacheManager caches = TestInfinispan.start("further", network, 30_000)) {
      assertThat(caches.getMembers()).hasSize(1);
      for (int open : List.of(port, port + 1, port + 2)) {
        assertThat(Presence.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), open)))
            .isEqualTo(Presence.LISTENS);
      }
      assertThat(Presence.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + 100)))
          .isEqualTo(Presence.ABSENT);
    }
  }

  private static NetworkSettings further(int port, int watch, int exchange) {
    return new NetworkSettings(
        "127.0.0.1",
        port,
        watch,
        exchange,
        List.of(),
        10_000,
        Optional.empty(),
        FoundingPolicy.AUTO,
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty());
  }

  @Test
  void portsThatAreOpenToEverybodyAreRefused() {
    NetworkSettings open =
        new NetworkSettings("0.0.0.0", FreePort.pick(), List.of(), 10_000, Optional.empty());
    assertThatThrownBy(() -> TestInfinispan.start("open", open, 30_000))
        .isInstanceOfSatisfying(
            JoinException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNPROTECTED))
        .hasMessageContaining("at 0.0.0.0 other machines reach the ports for nodes")
        .hasMessageContaining("canopy cert cluster FILE");
  }

  @Test
  void anIdentityTakesAwayThePortThatHasNoTls(@TempDir Path directory) throws IOException {
    NodeIdentity identity = Identities.of(directory.resolve("a.pem"));
    int port = FreePort.pick();
    NetworkSettings network = settings(port, List.of()).identity(identity);
    try (EmbeddedCacheManager caches = TestInfinispan.start("secured", network, 30_000)) {
      assertThat(caches.getMembers()).hasSize(1);
      InetAddress here = InetAddress.getLoopbackAddress();
      assertThat(Presence.of(new InetSocketAddress(here, port))).isEqualTo(Presence.LISTENS);
      assertThat(Presence.of(new InetSocketAddress(here, port + 100))).isEqualTo(Presence.ABSENT);
      assertThat(Presence.of(new InetSocketAddress(here, port + 200))).isEqualTo(Presence.LISTENS);
    }
  }

  /** A node would watch its neighbours at a port that another node uses for something else. */
  @ParameterizedTest
  @ValueSource(ints = {100, -100, 200, -200})
  void portsOfOneMachineThatNeedEachOtherAreRefused(int apart) {
    int port = FreePort.pick();
    int other = port + apart;

    assertRefused(port, List.of("127.0.0.1:" + other), Reason.PORTS_OVERLAP)
        .hasMessage(
            "ports %d and %d at 127.0.0.1 overlap: a node takes its port +100 and +200 as well",
            port, other);
  }

  /** As a stack of the user's own may have it. */
  @Test
  void aRangeOfPortsThatANodeMayTakeIsNeededWhole(@TempDir Path directory) throws IOException {
    Path stack = StackFile.watchingInRange(2, directory);
    NetworkSettings own = with(stack);
    int other = own.port() + 102;
    NetworkSettings network =
        new NetworkSettings(
            "127.0.0.1", own.port(), List.of("127.0.0.1:" + other), 10_000, own.stack());
    assertThatThrownBy(() -> TestInfinispan.start("ports", network, 30_000))
        .isInstanceOf(JoinException.class)
        .hasMessageEndingWith("a node takes its port +100 to +102 and +200 as well");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:%d", "127.0.0.2:%d"})
  void otherPortsAndOtherMachinesAreNot(String member) throws IOException {
    int port = FreePort.pick();
    int apart = member.startsWith("127.0.0.1") ? 99 : 100;
    NetworkSettings network = settings(port, List.of(member.formatted(port + apart)));

    try (EmbeddedCacheManager caches = TestInfinispan.start("apart", network, 30_000)) {
      assertThat(caches.getMembers()).hasSize(1);
    }
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(
      int port, List<String> members, Reason reason) {
    return assertThatThrownBy(() -> TestInfinispan.start("ports", settings(port, members), 30_000))
        .isInstanceOfSatisfying(JoinException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  private static NetworkSettings settings(int port, List<String> members) {
    return new NetworkSettings("127.0.0.1", port, members, 10_000, Optional.empty());
  }

  private static NetworkSettings with(Path stack) throws IOException {
    return new NetworkSettings("127.0.0.1", FreePort.pick(), List.of(), 10_000, Optional.of(stack));
  }
}
