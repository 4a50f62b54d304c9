package io.canopygrid.it.leaving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.TestAbortedException;

/** A node that cannot reach its members begins no second grid, however long it cannot. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class CutOffFoundingIT {
  private static final int PORT = 7_800;
  private static final String WAITS = "waits to join grid 'leaving': ";

  private final List<LeavingServer> servers = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // made before each test, where this machine can
  private TwoMachines machines;

  @BeforeEach
  void connect() {
    try {
      machines = TwoMachines.connected();
    } catch (IOException e) {
      throw new TestAbortedException("needs the right to make network namespaces", e);
    }
  }

  @AfterEach
  void killAll() {
    servers.forEach(LeavingServer::close);
    if (machines != null) {
      machines.close();
    }
  }

  private LeavingServer start(int machine) throws IOException {
    List<String> members =
        List.of(TwoMachines.address(0) + ":" + PORT, TwoMachines.address(1) + ":" + PORT);
    LeavingServer server =
        LeavingServer.start(
            machines.on(machine),
            PORT,
            members,
            "--bind",
            TwoMachines.address(machine),
            "--trust-network",
            "--join-timeout",
            "2min");
    servers.add(server);
    return server;
  }

  /** Waits so long that JGroups alone would have founded a grid several times. */
  private static void assertWaitsFor(LeavingServer server, int other) throws InterruptedException {
    server.awaitLines(WAITS + TwoMachines.address(other) + ":" + PORT + " does not answer", 2);
    assertNothingBegun(server);
  }

  private static void assertNothingBegun(LeavingServer server) {
    assertThat(server.lines())
        .noneMatch(line -> line.startsWith("READY "))
        .noneMatch(line -> line.contains("a new and empty one"));
    assertThat(server.isAlive()).isTrue();
  }

  /** The line that tells that it is ready; the last words are its grid and how it came to it. */
  private static String[] ready(LeavingServer server) throws Exception {
    server.address();
    String line =
        server.lines().stream().filter(each -> each.startsWith("READY ")).findFirst().orElseThrow();
    return line.substring(line.indexOf(" grid ") + 1).split(" ");
  }

  private static String gridOf(LeavingServer server) throws Exception {
    return ready(server)[1];
  }

  private static boolean hasFounded(LeavingServer server) throws Exception {
    return List.of(ready(server)).contains("founded");
  }

  @Test
  void aNodeThatIsCutOffFromTheGridWaitsAndJoinsAfterwards() throws Exception {
    LeavingServer first = start(0);
    assertThat(hasFounded(first)).isTrue();
    machines.cut();
    LeavingServer second = start(1);
    assertWaitsFor(second, 0);

    machines.mend();

    assertThat(gridOf(second)).isEqualTo(gridOf(first));
    assertThat(hasFounded(second)).isFalse();
  }

  @Test
  void twoNodesThatAreCutOffFromEachOtherBeginOneGridAfterwards() throws Exception {
    machines.cut();
    LeavingServer first = start(0);
    LeavingServer second = start(1);
    assertWaitsFor(first, 1);
    assertWaitsFor(second, 0);

    machines.mend();

    assertThat(gridOf(second)).isEqualTo(gridOf(first));
    assertThat(hasFounded(first)).isNotEqualTo(hasFounded(second));
  }

  /** As after the machine of a member of a grid was started anew, where nobody mends the cut. */
  @Test
  void aRebootedMemberBehindACutGivesUpInTime() throws Exception {
    start(0).address();
    LeavingServer second = start(1);
    second.address();
    second.kill();
    second.exitCode(20);
    machines.cut();

    LeavingServer again =
        LeavingServer.start(
            machines.on(1),
            PORT,
            List.of(TwoMachines.address(0) + ":" + PORT, TwoMachines.address(1) + ":" + PORT),
            "--bind",
            TwoMachines.address(1),
            "--trust-network",
            "--join-timeout",
            "12s");
    servers.add(again);

    assertThat(again.exitCode(60)).isOne();
    assertThat(again.lines())
        .noneMatch(line -> line.startsWith("READY "))
        .noneMatch(line -> line.contains("a new and empty one"))
        .anyMatch(line -> line.contains(TwoMachines.address(0) + ":" + PORT + " does not answer"));
  }
}
