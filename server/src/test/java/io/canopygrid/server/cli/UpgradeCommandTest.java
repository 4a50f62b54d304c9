package io.canopygrid.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The state of an upgrade at the command line, and its end. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class UpgradeCommandTest {
  private static final String NODES =
      """
      [{"node":"1","name":"vm1","release":"2.0","lowest":5,"highest":6,"member":true},
       {"node":"2","name":"vm2","release":"1.9","lowest":0,"highest":0,"member":true}]
      """;
  private static final String WAITS =
      "{\"level\":5,\"joined\":5,\"final\":false,\"obstacle\":\"node vm2 is old\",\"nodes\":"
          + NODES
          + "}";
  private static final String READY = WAITS.replace("node vm2 is old", "");
  private static final String DONE =
      READY.replace(
          "\"level\":5,\"joined\":5,\"final\":false", "\"level\":6,\"joined\":6,\"final\":true");

  /** The methods of the requests that came. */
  private final List<String> asked = new ArrayList<>();

  /** Runs a command against a server that has these answers by method. */
  private CommandRun canopy(Map<String, String> answers, int status, String... words)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        "/api/v1/upgrade",
        call -> {
          asked.add(call.getRequestMethod());
          byte[] body = answers.getOrDefault(call.getRequestMethod(), "").getBytes(UTF_8);
          call.sendResponseHeaders(
              call.getRequestMethod().equals("GET") ? 200 : status, body.length);
          call.getResponseBody().write(body);
          call.close();
        });
    server.start();
    try {
      return CommandRun.at("127.0.0.1:" + server.getAddress().getPort(), words);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aClusterOfOneReleaseIsFinal() {
    EmbeddedCanopy node = EmbeddedCanopy.join(ClusterConfig.of("upgrade").port(0));
    try (TestServer server = TestServer.of(node, 0)) {
      CommandRun check = CommandRun.at(server.address(), "upgrade", "check");
      assertThat(check.err()).isEmpty();
      assertThat(check.out())
          .startsWith(
              "The cluster is at level 9, that of all its nodes: nothing is to be finalized.")
          .contains("8 to 9")
          .contains("member");
      assertThat(check.exitCode()).isZero();
      assertThat(CommandRun.at(server.address(), "upgrade", "finalize")).isEqualTo(check);
    }
  }

  @Test
  void theNodeThatIsInTheWayIsNamed() throws IOException {
    CommandRun check = canopy(Map.of("GET", WAITS), 200, "upgrade", "check");
    assertThat(check.exitCode()).isEqualTo(3);
    assertThat(check.out())
        .startsWith(
            "The cluster is at level 5. The upgrade cannot be finalized now: node vm2 is old.")
        .contains("vm1")
        .contains("1.9");
    CommandRun json = canopy(Map.of("GET", WAITS), 200, "upgrade", "check", "-o", "json");
    assertThat(json.out()).startsWith("{\"level\":5,\"joined\":5,");
  }

  @Test
  void itIsFinalizedOnceThatIsConfirmed() throws IOException {
    Map<String, String> answers = Map.of("GET", READY, "POST", DONE);
    assertThat(canopy(answers, 200, "upgrade", "check").exitCode()).isZero();
    CommandRun unsure = canopy(answers, 200, "upgrade", "finalize");
    assertThat(unsure.err()).contains("there is no terminal to ask at: give --yes");
    assertThat(asked).doesNotContain("POST");
    CommandRun done = canopy(answers, 200, "upgrade", "finalize", "--yes");
    assertThat(done.out()).startsWith("The cluster is at level 6");
    assertThat(asked).endsWith("GET", "POST");
  }

  @Test
  void aRefusalHasItsCode() throws IOException {
    String problem = "{\"code\":\"CNPY-4014\",\"detail\":\"node vm2 is old\"}";
    CommandRun refused =
        canopy(Map.of("GET", WAITS, "POST", problem), 503, "upgrade", "finalize", "--yes");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("CNPY-4014 UPGRADE_REFUSED: node vm2 is old");
  }
}
