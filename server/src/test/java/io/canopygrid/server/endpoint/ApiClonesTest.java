package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clones of indexes by HTTP. */
@NullUnmarked // the server is there while a test runs
final class ApiClonesTest {
  private static final String CLONES = "/indexes/accounts/clones";

  private TestServer server;
  private ApiCaller api;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    api = ApiCaller.of(server);
    api.index("accounts", "string", "int64");
    put("accounts", "ada", 100);
    put("accounts", "bob", 30);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void put(String index, String key, long value) throws Exception {
    ApiCaller.Answer put =
        api.put("/indexes/" + index + "/entries/" + key, "{\"value\":" + value + "}");
    assertThat(put.status()).isEqualTo(204);
  }

  private long value(String index, String key) throws Exception {
    return api.get("/indexes/" + index + "/entries/" + key).ok().get("value").asLong();
  }

  private static List<String> names(JsonNode clones) {
    List<String> names = new ArrayList<>();
    clones.get("clones").forEach(clone -> names.add(clone.get("clone").asText()));
    return names;
  }

  @Test
  void aCloneIsMadeAndListedAndIsAnIndex() throws Exception {
    assertThat(api.get("/clones").ok()).hasToString("{\"clones\":[]}");
    ApiCaller.Answer made = api.post(CLONES, "{\"name\":\"trial\"}");
    assertThat(made.status()).as(made.response().body()).isEqualTo(201);
    assertThat(made.json().get("clone").asText()).isEqualTo("trial");
    assertThat(made.json().get("parent").asText()).isEqualTo("accounts");
    assertThat(made.json().get("depth").asInt()).isEqualTo(1);
    assertThat(api.get("/clones").ok().get("clones").get(0)).isEqualTo(made.json());
    put("trial", "ada", 1);
    put("accounts", "bob", 2);
    assertThat(value("accounts", "ada")).isEqualTo(100);
    assertThat(value("trial", "ada")).isEqualTo(1);
    assertThat(value("trial", "bob")).isEqualTo(30);
    api.post(CLONES, "{\"name\":\"trial\"}").is(409, ErrorCode.INDEX_EXISTS);
    assertThat(api.post("/indexes/trial/clones", "{\"name\":\"two\"}").json().get("depth").asInt())
        .isEqualTo(2);
    assertThat(names(api.get("/clones").ok())).containsExactly("trial", "two");
  }

  @Test
  void aCloneIsOfANamedSnapshot() throws Exception {
    server.node().snapshot("night");
    put("accounts", "ada", 1);
    String body = "{\"name\":\"trial\",\"snapshot\":\"night\"}";
    assertThat(api.post(CLONES, body).status()).isEqualTo(201);
    server.node().dropSnapshot("night");
    assertThat(value("trial", "ada")).isEqualTo(100);
    api.post(CLONES, body.replace("trial", "late")).is(404, ErrorCode.UNKNOWN_SNAPSHOT);
    String asOf = "{\"name\":\"late\",\"asOf\":\"1980-01-01T00:00:00Z\"}";
    api.post(CLONES, asOf).is(404, ErrorCode.UNKNOWN_SNAPSHOT);
  }

  @Test
  void aCloneIsFlattenedInRequestsOfSomeSeconds() throws Exception {
    api.post(CLONES, "{\"name\":\"trial\"}");
    String flatten = "/indexes/trial/flatten";
    JsonNode done = api.post(flatten, "").ok();
    assertThat(done).hasToString("{\"copied\":2,\"done\":true}");
    assertThat(api.get("/clones").ok()).hasToString("{\"clones\":[]}");
    assertThat(value("trial", "ada")).isEqualTo(100);
    assertThat(api.post(flatten, "").ok()).hasToString("{\"copied\":0,\"done\":true}");
    api.post(flatten + "?at=0", "").is(400, ErrorCode.INVALID_ARGUMENT);
    api.post(flatten, "{}").is(400, ErrorCode.INVALID_ARGUMENT);
    api.post("/indexes/nothing/flatten", "").is(404, ErrorCode.UNKNOWN_INDEX);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"name\":7}",
        "{\"name\":\"trial\",\"of\":\"accounts\"}",
        "{\"name\":\"trial\",\"snapshot\":\"\"}",
        "{\"name\":\"trial\",\"snapshot\":\"@7\"}",
        "{\"name\":\"trial\",\"asOf\":\"yesterday\"}",
        "{\"name\":\"trial\",\"snapshot\":\"night\",\"asOf\":\"2026-11-28T12:00:00Z\"}"
      })
  void wrongBodiesAreRefused(String body) throws Exception {
    api.post(CLONES, body).is(400, ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void namesAreOfIndexesThatAreNoPartOfATable() throws Exception {
    api.post("/indexes/nothing/clones", "{\"name\":\"trial\"}").is(404, ErrorCode.UNKNOWN_INDEX);
    api.post(CLONES, "{\"name\":\"a b\"}").is(400, ErrorCode.INVALID_INDEX_NAME);
    api.post(CLONES, "{\"name\":\"folks.rows\"}").is(409, ErrorCode.PART_OF_TABLE);
    api.post("/indexes/folks.rows/clones", "{\"name\":\"trial\"}").is(409, ErrorCode.PART_OF_TABLE);
    api.post("/indexes/folks.rows/flatten", "").is(409, ErrorCode.PART_OF_TABLE);
  }

  @Test
  void aCloneIsForThoseWhoMayReadTheParentAndWriteTheClone() throws Exception {
    try (TestServer guarded = TestServer.guarded()) {
      ApiCaller ada = user(guarded, "ada", new Request.Grant("", "admin"));
      ada.index("accounts", "string", "int64");
      ApiCaller bob =
          user(
              guarded,
              "bob",
              new Request.Grant("accounts", "reader"),
              new Request.Grant("trial", "writer"));
      bob.post(CLONES, "{\"name\":\"other\"}").is(403, ErrorCode.FORBIDDEN);
      bob.post("/indexes/other/clones", "{\"name\":\"trial\"}").is(403, ErrorCode.FORBIDDEN);
      bob.post("/indexes/accounts/flatten", "").is(403, ErrorCode.FORBIDDEN);
      assertThat(bob.post(CLONES, "{\"name\":\"trial\"}").status()).isEqualTo(201);
      assertThat(names(bob.get("/clones").ok())).containsExactly("trial");
      bob.post("/indexes/trial/flatten", "").ok();
      assertThat(names(ada.get("/clones").ok())).isEmpty();
    }
  }

  private static ApiCaller user(TestServer server, String name, Request.Grant... grants) {
    server
        .users()
        .put(new Request.PutUser(name, Credentials.of("s".toCharArray()), List.of(grants)));
    return ApiCaller.of(server).as(name, "s");
  }
}
