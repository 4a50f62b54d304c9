package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Request;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Explained transactions of an application at its own node, which has no server. */
@NullUnmarked // the nodes are there while a test runs
final class ApiOwnExplainTest {
  private static TestServer server;
  private static EmbeddedCanopy application;
  private static ApiCaller api;
  private static Index<String, Long> accounts;

  @BeforeAll
  static void start() throws Exception {
    int first = FreePort.pick();
    EmbeddedCanopy node = EmbeddedCanopy.join(node("server", first, first));
    server = TestServer.guarded(node);
    application = EmbeddedCanopy.join(node("shop", FreePort.pick(), first));
    api = user("ada", new Request.Grant("", "reader"));
    accounts = application.index("accounts", Codec.string(), Codec.int64());
    application.run(tx -> tx.on(accounts).put("ada", 1L));
  }

  @AfterAll
  static void stop() {
    application.close();
    server.close();
  }

  private static ClusterConfig node(String name, int port, int first) {
    return ClusterConfig.of("own").port(port).members("127.0.0.1:" + first).nodeName(name);
  }

  private static ApiCaller user(String name, Request.Grant... grants) throws Exception {
    server
        .users()
        .put(new Request.PutUser(name, Credentials.of("s".toCharArray()), List.of(grants)));
    return ApiCaller.of(server).as(name, "s");
  }

  /** The only transaction with a label, without its steps; null: there is none. */
  private static @Nullable JsonNode summary(String label) throws Exception {
    JsonNode found = null;
    for (JsonNode row : api.get("/transactions/explained").ok().get("transactions")) {
      if (row.get("label").asText().equals(label)) {
        assertThat(found).as("another '%s'", label).isNull();
        found = row;
      }
    }
    return found;
  }

  private static JsonNode explained(String label) throws Exception {
    String id = summary(label).get("transaction").asText();
    return api.get("/transactions/explained/" + id).ok();
  }

  private static List<String> words(JsonNode explained) {
    return explained.get("steps").findValuesAsText("what");
  }

  @Test
  void theStepsOfABodyAreTold() throws Exception {
    application.run(
        TransactionOptions.labelled("pay"),
        tx -> tx.on(accounts).compute("ada", (key, value) -> value == null ? 1 : value + 1));
    JsonNode summary = summary("pay");
    assertThat(summary.get("node").asText()).isEqualTo(application.served().name());
    assertThat(summary.get("code").asText()).isEmpty();
    assertThat(summary.get("tries").asInt()).isOne();
    JsonNode pay = explained("pay");
    assertThat(words(pay)).contains("read a key", "commit");
    assertThat(pay.get("indexes")).extracting(JsonNode::asText).containsExactly("accounts");
    assertThat(pay.get("nodes").get(summary.get("node").asText()).asText()).isEqualTo("shop");
    user("nob", new Request.Grant("other", "reader"))
        .get("/transactions/explained/" + pay.get("transaction").asText())
        .is(403, ErrorCode.FORBIDDEN);
  }

  @Test
  void readsAreTold() throws Exception {
    application.read(
        TransactionOptions.labelled("look"), tx -> String.valueOf(tx.on(accounts).get("ada")));
    assertThat(explained("look").get("code").asText()).isEmpty();
    assertThat(words(explained("look"))).contains("read a key");
  }

  @Test
  void eachAttemptIsTold() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    application.run(
        TransactionOptions.labelled("twice"),
        tx -> {
          tx.on(accounts).get("bob");
          if (attempts.incrementAndGet() == 1) {
            application
                .runAsync(other -> other.on(accounts).put("bob", 1L))
                .toCompletableFuture()
                .join();
          }
          tx.on(accounts).put("bob", 2L);
        });
    assertThat(explained("twice").get("attempts"))
        .extracting(attempt -> attempt.get("code").asText())
        .containsExactly("CNPY-2001", "");
    assertThat(explained("twice").toString()).as("keys are data").doesNotContain("bob");
  }

  @Test
  void whatItsCallerEndsOrLeavesIsToldAsSuch() throws Exception {
    try (Transaction tx = application.begin(TransactionOptions.labelled("left"))) {
      tx.on(accounts).get("ada");
    }
    assertThat(explained("left").get("code").asText()).isEqualTo("ended");
    assertThatThrownBy(() ->
            application.run(
                TransactionOptions.labelled("thrown"),
                tx -> {
                  tx.on(accounts).get("ada");
                  throw new IllegalStateException("of the body");
                }))
        .hasMessage("of the body");
    assertThat(explained("thrown").get("code").asText()).isEqualTo("ended");
  }

  @Test
  void theServersOwnNodeTellsOfItsApplication() throws Exception {
    Index<String, Long> here = server.node().index("accounts", Codec.string(), Codec.int64());
    server.node().run(TransactionOptions.labelled("beside"), tx -> tx.on(here).put("eve", 1L));
    assertThat(explained("beside").get("node").asText()).isEqualTo(server.node().served().name());
  }
}
