package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Each request by HTTP is answered as the description says, and none by 500; at the end the server
 * has nothing of them but the data. {@code -Dcanopy.fuzz.requests=100000} asks more, {@code
 * -Dcanopy.fuzz.seed} others.
 */
final class ApiFuzzTest {
  private static final int REQUESTS = Integer.getInteger("canopy.fuzz.requests", 2_000);
  private static final long SEED = Long.getLong("canopy.fuzz.seed", 1);

  /** The operation whose answer does not end. */
  private static final String LEFT_OUT = "events";

  private static final Map<String, List<String>> KNOWN =
      Map.of(
          "index", List.of("texts", "numbers"),
          "key", List.of("1", "2", "100"),
          "from", List.of("1", "100", ""),
          "to", List.of("2", "200"),
          "wait", List.of("0ms", "1ms"),
          "at", List.of("", "80000000000000ff"),
          "keys", List.of("string", "int64", "nothing"),
          "values", List.of("int64", "json(any)", "bytes"));

  private static final List<String> NOTHING_LEFT =
      List.of(
          "canopy_clients_transactions",
          "canopy_clients_staged_bytes",
          "canopy_clients_workers_waiting",
          "canopy_api_event_streams");

  private final Map<String, JsonSchema> schemas = new HashMap<>();
  private JsonNode description = JsonNodeFactory.instance.nullNode();

  @Test
  void eachAnswerIsAsItIsDescribed() throws Exception {
    Map<String, Integer> answers = new TreeMap<>();
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      description = api.get("/openapi.json").ok();
      api.index("texts", "string", "json(any)");
      api.index("numbers", "int64", "int64");
      DrawnRequests requests = new DrawnRequests(description, SEED, KNOWN, LEFT_OUT);
      for (int i = 0; i < REQUESTS; i++) {
        DrawnRequests.Drawn drawn = requests.next();
        ApiCaller.Answer answer = ask(api, drawn);
        check(drawn, answer, "seed " + SEED + ", request " + i + ": " + drawn);
        answers.merge(drawn.operation() + " " + answer.status(), 1, Integer::sum);
      }
      System.out.println(REQUESTS + " requests from seed " + SEED + ": " + answers);
      for (String operation : requests.operations()) {
        assertThat(answers.keySet())
            .as("%s has been answered", operation)
            .anyMatch(answer -> answer.matches("\\Q" + operation + "\\E (2..|404)"));
      }
      for (JsonNode figure : api.get("/metrics").ok().get("metrics")) {
        if (NOTHING_LEFT.contains(figure.get("name").asText())) {
          assertThat(figure.get("value").asDouble()).as(figure.toString()).isZero();
        }
      }
    }
  }

  private static ApiCaller.Answer ask(ApiCaller api, DrawnRequests.Drawn drawn) throws Exception {
    String body = drawn.body();
    return api.send(
        api.request(drawn.target())
            .header("content-type", "application/json")
            .method(
                drawn.method(),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }

  private void check(DrawnRequests.Drawn drawn, ApiCaller.Answer answer, String what) {
    boolean isLate = answer.status() == 504 && what.contains("timeoutMillis");
    assertThat(isLate || answer.status() < 500).as(what + ": " + answer.status()).isTrue();
    boolean isRight = answer.status() < 300;
    if (!isRight) {
      assertThat(answer.type()).as(what).isEqualTo("application/problem+json");
    }
    String[] operation = drawn.operation().split(" ", 2);
    JsonNode responses =
        description.at(
            "/paths/"
                + operation[1].replace("~", "~0").replace("/", "~1")
                + "/"
                + operation[0].toLowerCase(Locale.ROOT)
                + "/responses");
    String status = Integer.toString(answer.status());
    JsonNode described = responses.has(status) ? responses.get(status) : responses.get("default");
    assertThat(!isRight || responses.has(status)).as(what + " has status " + status).isTrue();
    if (described.has("$ref")) {
      described = description.at(described.get("$ref").asText().substring(1));
    }
    JsonNode content = described.path("content").path(answer.type());
    if (content.has("schema")) {
      assertThat(schema(content.get("schema")).validate(answer.json())).as(what).isEmpty();
    } else {
      assertThat(answer.response().body()).as(what).isEmpty();
    }
  }

  /** The schema, with all that it refers to. */
  private JsonSchema schema(JsonNode schema) {
    return schemas.computeIfAbsent(
        schema.toString(),
        any -> {
          ObjectNode whole = schema.deepCopy();
          whole.set("components", description.get("components"));
          return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(whole);
        });
  }
}
