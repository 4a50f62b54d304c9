package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where the time of a transaction went, by HTTP. */
final class ApiExplainTest {
  private static final String OPERATIONS =
      "\"operations\":[{\"op\":\"get\",\"index\":\"things\",\"key\":1},"
          + "{\"op\":\"put\",\"index\":\"things\",\"key\":1,\"value\":\"x\"}]";

  private static TestServer server;
  private static ApiCaller api;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    api = ApiCaller.of(server);
    api.index("things", "int64", "string");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> words(JsonNode explained) {
    List<String> words = new ArrayList<>();
    explained.get("steps").forEach(step -> words.add(step.get("what").asText()));
    return words;
  }

  @Test
  void theAnswerOfATransactionHasItsSteps() throws Exception {
    JsonNode answer =
        api.post("/transactions", "{\"label\":\"pay\",\"explain\":true," + OPERATIONS + "}").ok();
    assertThat(answer.get("results")).hasSize(2);
    JsonNode explained = answer.get("explain");
    assertThat(explained.get("label").asText()).isEqualTo("pay");
    assertThat(explained.get("code").asText()).isEmpty();
    assertThat(explained.get("attempts")).hasSize(1);
    assertThat(words(explained)).contains("read a key", "commit");
    double sum = 0;
    for (JsonNode each : explained.get("sums")) {
      sum += each.asDouble();
    }
    assertThat(sum).isBetween(0.0, explained.get("millis").asDouble() + 0.01);
    assertThat(explained.get("nodes").has(explained.get("node").asText())).isTrue();

    String id = explained.get("transaction").asText();
    JsonNode again = api.get("/transactions/explained/" + id).ok();
    assertThat(again.get("steps")).isEqualTo(explained.get("steps"));
    assertThat(api.get("/transactions/explained").ok().toString())
        .contains("\"transaction\":\"" + id + "\"");
  }

  @Test
  void nothingIsToldWithoutTheQuestion() throws Exception {
    assertThat(api.post("/transactions", "{" + OPERATIONS + "}").ok().has("explain")).isFalse();
    assertThat(
            api.post("/transactions", "{\"explain\":false," + OPERATIONS + "}").ok().has("explain"))
        .isFalse();
  }

  @Test
  void aTransactionOfALabelIsRecordedByItself() throws Exception {
    api.post("/transactions", "{\"label\":\"sampled\"," + OPERATIONS + "}").ok();
    List<String> labels = new ArrayList<>();
    api.get("/transactions/explained")
        .ok()
        .get("transactions")
        .forEach(row -> labels.add(row.get("label").asText()));
    assertThat(labels).containsOnlyOnce("sampled");
  }

  /** The only thread of a server runs a function of somebody else meanwhile. */
  @Test
  void theWaitForAThreadIsNotTheClients() throws Exception {
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (TestServer busy = new TestServer(EndpointLimits.builder().workers(1).build());
        RemoteCanopy db = RemoteCanopy.connect("canopy://" + busy.address())) {
      busy.node()
          .register(
              "holds",
              (tx, bytes) -> {
                holds.countDown();
                over.await();
                return bytes;
              });
      Index<Long, Long> index = db.index("numbers", Codec.int64(), Codec.int64());
      try (Transaction tx = db.begin(TransactionOptions.labelled("queued"))) {
        tx.on(index).count(Range.all());
        db.executeAsync(FunctionCall.of("holds", new byte[0]));
        holds.await();
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(over::countDown);
        tx.on(index).count(Range.all());
        tx.commit();
      }
      assertThat(explained(ApiCaller.of(busy), "queued").get("steps"))
          .anySatisfy(step -> {
            assertThat(step.get("what").asText()).isEqualTo("waited for a thread of the server");
            assertThat(step.get("millis").asDouble()).isGreaterThan(200);
          });
    }
  }

  @Test
  void aFunctionHasItsStepsAndAttempts() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Canopy node = server.node();
    Index<Long, String> things = node.index("things", Codec.int64(), Codec.string());
    node.register(
        "raises",
        (tx, bytes) -> {
          tx.on(things).get(7L);
          if (runs.incrementAndGet() == 1) {
            node.runAsync(other -> other.on(things).put(7L, "first")).toCompletableFuture().join();
          }
          tx.on(things).put(7L, "second");
          return bytes;
        });
    try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      db.execute(FunctionCall.of("raises", new byte[0]));
      assertThatThrownBy(() -> db.execute(FunctionCall.of("nothing", new byte[0])))
          .isInstanceOf(CanopyException.class);
    }
    JsonNode explained = explained(api, "raises");
    assertThat(words(explained)).contains("read a key", "commit");
    assertThat(explained.get("attempts"))
        .extracting(attempt -> attempt.get("code").asText())
        .containsExactly("CNPY-2001", "");
    assertThat(explained.get("indexes")).extracting(JsonNode::asText).containsExactly("things");
    assertThat(explained.get("code").asText()).isEmpty();
    assertThatThrownBy(() -> explained(api, "nothing")).hasMessageContaining("was recorded");
  }

  /** The only transaction with a label. */
  private static JsonNode explained(ApiCaller of, String label) throws Exception {
    for (JsonNode row : of.get("/transactions/explained").ok().get("transactions")) {
      if (row.get("label").asText().equals(label)) {
        return of.get("/transactions/explained/" + row.get("transaction").asText()).ok();
      }
    }
    throw new AssertionError("no transaction '" + label + "' was recorded");
  }

  @Test
  void aScanHasItsSteps() throws Exception {
    JsonNode page = api.get("/indexes/things/entries?explain=true").ok();
    assertThat(words(page.get("explain"))).contains("read a part of a range");
  }

  @Test
  void wrongQuestionsAreRefused() throws Exception {
    api.post("/transactions", "{\"explain\":1," + OPERATIONS + "}")
        .is(400, ErrorCode.INVALID_ARGUMENT);
    api.get("/indexes/things/entries?explain=yes").is(400, ErrorCode.INVALID_ARGUMENT);
    api.get("/transactions/explained/n0-0").is(404, ErrorCode.INVALID_ARGUMENT);
    api.get("/transactions/explained?label=x").is(400, ErrorCode.INVALID_ARGUMENT);
  }
}
