package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of structure by HTTP. */
final class ApiChangesTest {
  private static final String CHANGES = "/indexes/cut/changes";

  private static TestServer server;
  private static ApiCaller api;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    api = ApiCaller.of(server);
    api.index("cut", "int64", "string");
    for (int key = 0; key < 100; key++) {
      assertThat(api.put("/indexes/cut/entries/" + key, "{\"value\":\"x\"}").status())
          .isEqualTo(204);
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode subtrees() throws Exception {
    return api.get("/indexes/cut").ok().get("subtrees");
  }

  @Test
  void aSubtreeIsSplitAndMergedAndThatIsAJob() throws Exception {
    int before = subtrees().size();
    JsonNode split = api.post(CHANGES, "{\"change\":\"split\",\"key\":40}").ok();
    assertThat(split.get("state").asText()).isEqualTo("done");
    assertThat(split.get("reason").asText()).isEqualTo("asked");
    assertThat(subtrees()).hasSize(before + 1);
    JsonNode second = subtrees().get(1);
    assertThat(second.get("from").asText()).isEqualTo("40");
    api.post(CHANGES, "{\"change\":\"split\",\"key\":40}").is(400, ErrorCode.INVALID_ARGUMENT);

    String at = second.get("at").asText();
    JsonNode merged = api.post(CHANGES, "{\"change\":\"merge\",\"at\":\"" + at + "\"}").ok();
    assertThat(merged.get("state").asText()).isEqualTo("done");
    assertThat(subtrees()).hasSize(before);
    assertThat(api.get("/jobs").ok().get("jobs").toString()).contains("split", "merge");
    assertThat(api.get("/indexes/cut/entries?limit=200").ok().get("entries")).hasSize(100);
  }

  @Test
  void aMoveGoesToAnotherNodeThatIsThere() throws Exception {
    String node = subtrees().get(0).get("node").asText();
    ApiCaller.Answer answer =
        api.post(CHANGES, "{\"change\":\"move\",\"at\":\"\",\"node\":\"" + node + "\"}")
            .is(400, ErrorCode.INVALID_ARGUMENT);
    assertThat(answer.json().get("detail").asText()).contains("is at node '" + node + "' already");
    api.post(CHANGES, "{\"change\":\"move\",\"key\":1,\"node\":\"none\"}")
        .is(400, ErrorCode.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"change\":\"cut\",\"key\":1}",
        "{\"change\":\"merge\"}",
        "{\"change\":\"merge\",\"key\":1,\"at\":\"\"}",
        "{\"change\":\"merge\",\"at\":\"0\"}",
        "{\"change\":\"merge\",\"at\":7}",
        "{\"change\":\"merge\",\"key\":1,\"node\":\"n1\"}",
        "{\"change\":\"move\",\"key\":1}",
        "{\"change\":\"move\",\"key\":1,\"node\":1}",
        "{\"change\":\"merge\",\"key\":1,\"keys\":2}"
      })
  void wrongBodiesAreRefused(String body) throws Exception {
    api.post(CHANGES, body).is(400, ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void otherErrorsHaveTheirCodes() throws Exception {
    String merge = "{\"change\":\"merge\",\"key\":1}";
    api.post("/indexes/none/changes", merge).is(404, ErrorCode.UNKNOWN_INDEX);
    api.post(CHANGES, "{\"change\":\"merge\",\"key\":\"a\"}").is(400, ErrorCode.CODEC_FAILURE);
    api.post(CHANGES, "{\"change\":\"merge\",\"key\":null}").is(400, ErrorCode.NULL_NOT_ALLOWED);
    String large = "00".repeat(70_000);
    api.post(CHANGES, "{\"change\":\"split\",\"at\":\"" + large + "\"}")
        .is(400, ErrorCode.KEY_TOO_LARGE);
    assertThat(api.delete(CHANGES).status()).isEqualTo(405);
  }
}
