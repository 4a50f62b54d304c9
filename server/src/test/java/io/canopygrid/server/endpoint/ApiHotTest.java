package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.Balancing;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.HotEntryMode;
import io.canopygrid.Index;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.server.shell.IndexCommand;
import io.canopygrid.wire.client.Request;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The entries that are read most, by HTTP and at the command line. */
final class ApiHotTest {
  private static final int READS = 300;
  private static final TransactionOptions NEAREST =
      TransactionOptions.DEFAULTS.withReadFrom(ReadFrom.NEAREST);

  private static ClusterConfig node(String name, int port, int first) {
    return ClusterConfig.of("hot")
        .port(port)
        .members("127.0.0.1:" + first)
        .nodeName(name)
        .balancing(Balancing.DEFAULTS.hotEntries(HotEntryMode.AUTO));
  }

  private static void read(EmbeddedCanopy db) {
    Index<String, Long> accounts = db.index("accounts", Codec.string(), Codec.int64());
    for (int i = 0; i < READS; i++) {
      db.read(NEAREST, tx -> String.valueOf(tx.on(accounts).get("ada")));
    }
  }

  private static ApiCaller user(TestServer server, String name, Request.Grant... grants)
      throws Exception {
    server
        .users()
        .put(new Request.PutUser(name, Credentials.of("s".toCharArray()), List.of(grants)));
    return ApiCaller.of(server).as(name, "s");
  }

  @Test
  void whereTheyAreOffItSaysHowToTurnThemOn() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      JsonNode told = api.get("/hot-entries").ok();
      assertThat(told.get("mode").asText()).isEqualTo("off");
      assertThat(told.get("what").asText()).contains("set balance.hotEntries to auto");
      assertThat(told.get("entries")).isEmpty();
      assertThat(told.get("nodes").get(0).get("mode").asText()).isEqualTo("off");
      api.get("/hot-entries?index=none").is(404, ErrorCode.UNKNOWN_INDEX);
      api.get("/hot-entries?of=accounts").is(400, ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void entriesAndTheirCopiesAreShownToThoseWhoMayReadThem() throws Exception {
    int first = FreePort.pick();
    EmbeddedCanopy one = EmbeddedCanopy.join(node("n1", first, first));
    try (EmbeddedCanopy two = EmbeddedCanopy.join(node("n2", FreePort.pick(), first));
        EmbeddedCanopy three = EmbeddedCanopy.join(node("n3", FreePort.pick(), first));
        TestServer server = TestServer.guarded(one)) {
      Index<String, Long> accounts = one.index("accounts", Codec.string(), Codec.int64());
      one.run(tx -> tx.on(accounts).put("ada", 1L));
      one.index("other", Codec.string(), Codec.int64());
      ApiCaller reader = user(server, "rita", new Request.Grant("accounts", "reader"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> {
            read(one);
            read(two);
            read(three);
            JsonNode told = reader.get("/hot-entries?index=accounts").ok();
            assertThat(told.get("entries")).hasSize(1);
            JsonNode entry = told.get("entries").get(0);
            assertThat(entry.get("copies")).hasSize(1);
            assertThat(entry.get("copyReadsPerSecond").asDouble()).isPositive();
          });
      isTold(reader.get("/hot-entries").ok(), server);
      ApiCaller other = user(server, "olga", new Request.Grant("other", "reader"));
      read(one);
      read(two);
      read(three);
      JsonNode hidden = other.get("/hot-entries").ok();
      assertThat(hidden.toString()).doesNotContain("ada").doesNotContain("accounts");
      assertThat(hidden.get("hidden").asInt()).isOne();
      assertThat(hidden.get("what").asText()).contains("one more, of an index that you may not");
      other.get("/hot-entries?index=accounts").is(403, ErrorCode.FORBIDDEN);
      user(server, "nob").get("/hot-entries").is(403, ErrorCode.FORBIDDEN);
    }
  }

  private static void isTold(JsonNode told, TestServer server) {
    assertThat(told.get("mode").asText()).isEqualTo("on");
    assertThat(told.get("what").asText()).isEqualTo("One entry is hot.");
    JsonNode entry = told.get("entries").get(0);
    assertThat(entry.get("index").asText()).isEqualTo("accounts");
    assertThat(entry.get("key").asText()).isEqualTo("ada");
    assertThat(told.get("nodes")).hasSize(3);
    for (JsonNode node : told.get("nodes")) {
      boolean isPrimary = node.get("node").equals(entry.get("node"));
      boolean isKeeper = node.get("node").equals(entry.get("copies").get(0));
      assertThat(node.get("keys").asInt()).isEqualTo(isPrimary ? 1 : 0);
      assertThat(node.get("pushes").asLong() > 0).isEqualTo(isPrimary);
      assertThat(node.get("reads").asLong() > 0).isEqualTo(isKeeper);
    }
    try (RemoteCanopy client =
        RemoteCanopy.connect(
            "canopy://" + server.address(), ClientOptions.DEFAULTS.as("rita", "s"))) {
      assertThat(client.hotEntries(client.describe("accounts").index())).isPresent();
    }
    StringWriter out = new StringWriter();
    new CommandLine(new IndexCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .execute("heat", "accounts", "-o", "json", "-c", "canopy://rita:s@" + server.address());
    assertThat(out.toString()).contains("{\"hot\":\"ada\",\"node\":", "\"hotNode\":");
  }
}
