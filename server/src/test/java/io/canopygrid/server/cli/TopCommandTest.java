package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code canopy top} against a server. */
final class TopCommandTest {
  @Test
  void onceIsOnePlainTable() {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      Index<Long, Long> names = server.node().index("names", Codec.int64(), Codec.int64());
      server.node().run(tx -> tx.on(names).put(1L, 1L));

      CommandRun run = CommandRun.at(server.address(), "top", "--once");

      assertThat(run.exitCode()).as(run.err()).isZero();
      List<String> lines = run.out().lines().toList();
      assertThat(lines.get(0)).startsWith("1 of 1 nodes, ").doesNotContain("\u001b");
      assertThat(lines)
          .anyMatch(line -> line.contains(" commits/s"))
          .anyMatch(line -> line.startsWith("node "))
          .anyMatch(line -> line.matches("names +\\d.* 1 +1"));
    }
  }

  @Test
  void aServerThatIsNotThereIsAnErrorWithACode() {
    CommandRun run = CommandRun.at("127.0.0.1:1", "top", "--once");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith("canopy top: CNPY-4002 NOT_CONNECTED");
  }

  @Test
  void aUserWhoMustLogInIsToldSo() {
    try (TestServer server = TestServer.guarded()) {
      CommandRun run = CommandRun.at(server.address(), "top", "--once");

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).startsWith("canopy top: CNPY-4003 UNAUTHENTICATED");
    }
  }
}
