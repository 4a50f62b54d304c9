package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Request;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The users of the HTTP API and what each may do: the same as by the wire protocol. */
final class ApiRightsTest {
  private LogLines log;
  private TestServer server;
  private ApiCaller ada;
  private ApiCaller rita;

  @BeforeEach
  void start() throws Exception {
    log = new LogLines();
    server = TestServer.guarded();
    user("ada", "secret", new Request.Grant("", "admin"));
    user("rita", "bücher:", new Request.Grant("", "reader"), new Request.Grant("hers", "writer"));
    user("tim", "t", new Request.Grant("hers", "reader"));
    ada = ApiCaller.of(server).as("ada", "secret");
    rita = ApiCaller.of(server).as("rita", "bücher:");
    ada.index("things", "int64", "string");
    ada.index("hers", "int64", "string");
  }

  @AfterEach
  void stop() {
    log.close();
    server.close();
  }

  private void user(String name, String password, Request.Grant... grants) {
    server
        .users()
        .put(new Request.PutUser(name, Credentials.of(password.toCharArray()), List.of(grants)));
  }

  @Test
  void whoeverHasNoRightPasswordGetsNothing() throws Exception {
    ApiCaller nobody = ApiCaller.of(server);
    ApiCaller.Answer asked = nobody.get("/indexes").is(401, ErrorCode.UNAUTHENTICATED);
    assertThat(asked.response().headers().firstValue("www-authenticate").orElse(""))
        .startsWith("Basic ");
    nobody.as("ada", "wrong").get("/indexes").is(401, ErrorCode.UNAUTHENTICATED);
    nobody.as("zoe", "secret").get("/indexes").is(401, ErrorCode.UNAUTHENTICATED);
    nobody.get("/nothing").is(401, ErrorCode.UNAUTHENTICATED);
    nobody
        .send(nobody.request("/api/v1/indexes").header("authorization", "Bearer x"))
        .is(401, ErrorCode.UNAUTHENTICATED);
    nobody
        .send(nobody.request("/api/v1/indexes").header("authorization", "Basic ==="))
        .is(401, ErrorCode.UNAUTHENTICATED);
    assertThat(nobody.get("/openapi.json").status()).isEqualTo(200);
    assertThat(log.warnings(ErrorCode.UNAUTHENTICATED))
        .anyMatch(line -> line.contains("user 'ada' is not known with this password"))
        .anyMatch(line -> line.contains("user 'zoe' is not known with this password"));
  }

  /** A request that follows at once is not taken for a part of the one before. */
  @Test
  void aRequestThatDoesNotWaitIsNotHeard() throws Exception {
    String login = "authorization: Basic YWRhOnNlY3JldA==\r\n";
    String put =
        "PUT /api/v1/indexes/things/entries/9 HTTP/1.1\r\nhost: a\r\n"
            + login
            + "content-type: application/json\r\ncontent-length: ";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      String both = put + "13\r\n\r\n{\"value\":\"a\"}" + put + "1\r\n\r\n1";
      socket.getOutputStream().write(both.getBytes(StandardCharsets.US_ASCII));
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answers).startsWith("HTTP/1.1 204").contains("connection: close");
      assertThat(answers.indexOf("HTTP/1.1", 1)).isNegative();
    }
    assertThat(ada.get("/indexes/things/entries/9").ok().get("value").asText()).isEqualTo("a");
  }

  @Test
  void aReaderDoesNotWrite() throws Exception {
    assertThat(ada.put("/indexes/things/entries/1", "{\"value\":\"x\"}").status()).isEqualTo(204);
    rita.get("/indexes/things/entries/1").ok();
    rita.put("/indexes/things/entries/1", "{\"value\":\"y\"}").is(403, ErrorCode.FORBIDDEN);
    rita.delete("/indexes/things/entries/1").is(403, ErrorCode.FORBIDDEN);
    rita.put("/indexes/new", "{\"keys\":\"int64\",\"values\":\"string\"}")
        .is(403, ErrorCode.FORBIDDEN);
    String putHers = "{\"op\":\"put\",\"index\":\"hers\",\"key\":1,\"value\":\"h\"}";
    rita.transact(putHers, putHers.replace("hers", "things")).is(403, ErrorCode.FORBIDDEN);
    rita.transact(putHers, "{\"op\":\"get\",\"index\":\"things\",\"key\":1}").ok();
    assertThat(ada.get("/indexes/things/entries/1").ok().get("value").asText()).isEqualTo("x");
  }

  @Test
  void aUserIsToldTheirRights() throws Exception {
    assertThat(rights(ada, "")).isEqualTo("true true true");
    assertThat(rights(ada, "?index=things")).isEqualTo("true true true");
    assertThat(rights(rita, "?index=things")).isEqualTo("true false false");
    assertThat(rights(rita, "?index=hers")).isEqualTo("true true false");
    assertThat(rights(ApiCaller.of(server).as("tim", "t"), "?index=things"))
        .isEqualTo("false false false");
    rita.get("/rights?name=things").is(400, ErrorCode.INVALID_ARGUMENT);
    rita.get("/transactions").ok();
    assertThat(rita.get("/snapshots").ok()).hasToString("{\"snapshots\":[]}");
  }

  private static String rights(ApiCaller user, String query) throws Exception {
    JsonNode rights = user.get("/rights" + query).ok();
    return rights.get("read") + " " + rights.get("write") + " " + rights.get("admin");
  }

  @Test
  void theStepsOfATransactionAreForUsersOfItsIndexes() throws Exception {
    for (String operation :
        List.of(
            "{\"op\":\"get\",\"index\":\"things\",\"key\":1}",
            "{\"op\":\"put\",\"index\":\"things\",\"key\":1,\"value\":\"x\"}")) {
      String id =
          ada.post("/transactions", "{\"explain\":true,\"operations\":[" + operation + "]}")
              .ok()
              .get("explain")
              .get("transaction")
              .asText();
      ApiCaller tim = ApiCaller.of(server).as("tim", "t");
      assertThat(tim.get("/transactions/explained").ok().toString()).doesNotContain("things");
      tim.get("/transactions/explained/" + id).is(403, ErrorCode.FORBIDDEN);
      rita.get("/transactions/explained/" + id).ok();
    }
  }

  @Test
  void aUserOfOneIndexSeesNoOther() throws Exception {
    ApiCaller tim = ApiCaller.of(server).as("tim", "t");
    tim.get("/indexes/hers/entries").ok();
    tim.get("/indexes/things/entries").is(403, ErrorCode.FORBIDDEN);
    tim.get("/indexes/things").is(403, ErrorCode.FORBIDDEN);
    tim.get("/indexes/nothing/entries").is(403, ErrorCode.FORBIDDEN);
    assertThat(tim.get("/placement").ok().toString()).contains("hers").doesNotContain("things");
    tim.get("/jobs").ok();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/config"})
  void administrationIsForAdministrators(String path) throws Exception {
    rita.get(path).is(403, ErrorCode.FORBIDDEN);
    ada.get(path).ok();
  }

  @Test
  void aNewPasswordAndARemovedUserCountAtOnce() throws Exception {
    rita.get("/indexes").ok();
    user("rita", "new", new Request.Grant("", "reader"));
    rita.get("/indexes").is(401, ErrorCode.UNAUTHENTICATED);
    ApiCaller changed = ApiCaller.of(server).as("rita", "new");
    changed.get("/indexes").ok();
    server.users().remove("rita");
    changed.get("/indexes").is(401, ErrorCode.UNAUTHENTICATED);
  }
}
