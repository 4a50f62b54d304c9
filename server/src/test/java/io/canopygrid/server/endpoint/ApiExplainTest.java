package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.util.ArrayList;
import java.util.List;
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
