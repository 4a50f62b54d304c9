package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to the HTTP API that are wrong are answered with a coded error, and at once. */
final class ApiRefusalsTest {
  private static final String PUT_ONE =
      "{\"op\":\"put\",\"index\":\"things\",\"key\":\"a\",\"value\":1";
  private static TestServer server;
  private static ApiCaller api;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    api = ApiCaller.of(server);
    api.index("things", "string", "int32");
    api.index("docs", "string", "json(any.Name)");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nothing",
        "[]",
        "{}",
        "{\"operations\":[]}",
        "{\"operations\":{}}",
        "{\"operations\":[1]}",
        "{\"operations\":[" + PUT_ONE + "}],\"more\":1}",
        "{\"operations\":[" + PUT_ONE + ",\"more\":1}]}",
        "{\"operations\":[" + PUT_ONE + ",\"value\":2}]}",
        "{\"operations\":[" + PUT_ONE + ",\"absent\":true}]}",
        "{\"operations\":[" + PUT_ONE + "}]} 1",
        "{\"operations\":[" + PUT_ONE + "}],\"label\":7}",
        "{\"operations\":[" + PUT_ONE + "}],\"timeoutMillis\":0}",
        "{\"operations\":[" + PUT_ONE + "}],\"timeoutMillis\":1.5}",
        "{\"operations\":[{\"op\":\"increase\",\"index\":\"things\",\"key\":\"a\"}]}",
        "{\"operations\":[{\"op\":\"put\",\"index\":\"things\",\"key\":\"a\"}]}",
        "{\"operations\":[{\"op\":\"check\",\"index\":\"things\",\"key\":\"a\"}]}",
        "{\"operations\":[{\"op\":\"get\",\"index\":7,\"key\":\"a\"}]}"
      })
  void wrongTransactionsAreInvalid(String body) throws Exception {
    api.post("/transactions", body).is(400, ErrorCode.INVALID_ARGUMENT);
    assertThat(api.get("/indexes/things/entries/a").ok().get("value").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1.5 | CODEC_FAILURE",
        "2147483648 | CODEC_FAILURE",
        "true | CODEC_FAILURE",
        "[1] | CODEC_FAILURE",
        "{} | CODEC_FAILURE",
        "\"one\" | CODEC_FAILURE",
        "null | NULL_NOT_ALLOWED"
      })
  void valuesOfAnotherTypeAreRefused(String value, ErrorCode code) throws Exception {
    api.put("/indexes/things/entries/b", "{\"value\":" + value + "}").is(400, code);
    api.put("/indexes/things/entries/b", "{\"valu\":1}").is(400, ErrorCode.INVALID_ARGUMENT);
    assertThat(api.get("/indexes/things/entries/b").ok().get("value").isNull()).isTrue();
  }

  @Test
  void httpHasAStatusForSome() throws Exception {
    ApiCaller.Answer wrong =
        api.send(api.request("/api/v1/indexes/things").DELETE())
            .is(405, ErrorCode.INVALID_ARGUMENT);
    assertThat(wrong.response().headers().firstValue("allow")).contains("GET, PUT");
    api.get("/nothing").is(404, ErrorCode.INVALID_ARGUMENT);
    api.send(api.request("/api/v2/indexes")).is(404, ErrorCode.INVALID_ARGUMENT);
    api.get("/indexes/none/entries").is(404, ErrorCode.UNKNOWN_INDEX);
    api.send(
            api.request("/api/v1/transactions")
                .header("content-type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{}")))
        .is(415, ErrorCode.INVALID_ARGUMENT);
    api.get("/indexes?a=1").is(400, ErrorCode.INVALID_ARGUMENT);
    api.get("/indexes/things/entries?limit=1&limit=2").is(400, ErrorCode.INVALID_ARGUMENT);
    api.get("/indexes/things/entries/%ff").is(400, ErrorCode.INVALID_ARGUMENT);
    assertThat(
            api.send(
                    api.request("/api/v1/cluster")
                        .method("HEAD", HttpRequest.BodyPublishers.noBody()))
                .status())
        .isEqualTo(200);
  }

  @Test
  void largeIsRefused() throws Exception {
    String key = "k".repeat(9_000);
    api.transact("{\"op\":\"get\",\"index\":\"things\",\"key\":\"" + key + "\"}")
        .is(400, ErrorCode.KEY_TOO_LARGE);
    String value = "\"" + "x".repeat(8 << 20) + "\"";
    api.put("/indexes/docs/entries/a", "{\"value\":" + value + "}")
        .is(413, ErrorCode.VALUE_TOO_LARGE);
    String head =
        "POST /api/v1/transactions HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n"
            + "content-type: application/json\r\ncontent-length: ";
    assertThat(raw(head + "99999999\r\n\r\n")).startsWith("HTTP/1.1 413").contains("CNPY-3008");
    assertThat(raw(head + "2\r\nconnection: close\r\n\r\n{}"))
        .startsWith("HTTP/1.1 100")
        .contains("HTTP/1.1 400", "operations");
    assertThat(raw(head + "many\r\n\r\n")).startsWith("HTTP/1.1 400");
  }

  @Test
  void deepNestingAndBrokenTextAreRefused() throws Exception {
    String deep = "[".repeat(100_000);
    api.put("/indexes/docs/entries/a", "{\"value\":" + deep + "}")
        .is(400, ErrorCode.INVALID_ARGUMENT);
    String digits = "9".repeat(100_000);
    api.put("/indexes/docs/entries/a", "{\"value\":" + digits + "}")
        .is(400, ErrorCode.INVALID_ARGUMENT);
    api.put("/indexes/docs/entries/a", "{\"value\":9e99999999990}")
        .is(400, ErrorCode.INVALID_ARGUMENT);
    api.put("/indexes/docs/entries/a", "{\"value\":\"\\ud800\"}").is(400, ErrorCode.CODEC_FAILURE);
    byte[] latin = "{\"operations\":[],\"label\":\"ü\"}".getBytes(StandardCharsets.ISO_8859_1);
    api.send(
            api.request("/api/v1/transactions")
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(latin)))
        .is(400, ErrorCode.INVALID_ARGUMENT);
  }

  /** Pages of other sites, and names of the Internet that lead here, get nothing. */
  @Test
  void strangersInABrowserAreRefused() throws Exception {
    ApiCaller.Answer stranger =
        api.send(api.request("/api/v1/cluster").header("origin", "http://evil.example"))
            .is(403, ErrorCode.FORBIDDEN);
    assertThat(stranger.response().headers().map().keySet())
        .noneMatch(name -> name.startsWith("access-control") || name.equals("set-cookie"));
    String own = "http://" + server.address();
    assertThat(api.send(api.request("/api/v1/cluster").header("origin", own)).status())
        .isEqualTo(200);
    assertThat(raw("GET /api/v1/cluster HTTP/1.1\r\nhost: evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 403");
    assertThat(raw("GET /api/v1/cluster HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void aConnectionServesOneRequestAfterTheOther() throws Exception {
    String request = "GET /api/v1/indexes HTTP/1.1\r\nhost: localhost\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      for (int i = 0; i < 3; i++) {
        String last = i == 2 ? "connection: close\r\n\r\n" : "\r\n";
        socket.getOutputStream().write((request + last).getBytes(StandardCharsets.US_ASCII));
        byte[] some = new byte[15];
        assertThat(socket.getInputStream().readNBytes(some, 0, 15)).isEqualTo(15);
        assertThat(new String(some, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200 OK");
        skipAnswer(socket.getInputStream());
      }
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  /** Reads to the end of the line that an answer's body is. */
  private static void skipAnswer(InputStream in) throws Exception {
    String read = "";
    while (!read.endsWith("}\n")) {
      read += (char) in.read();
    }
  }

  /** Bodies that are nearly right: no error of the server's, and nothing stays in its memory. */
  @Test
  void changedBodiesAreAnsweredWithoutAFailure() throws Exception {
    Random random = new Random(20_261_128);
    byte[] right =
        ("{\"operations\":[" + PUT_ONE + "},{\"op\":\"get\",\"index\":\"docs\",\"key\":\"é\"}]}")
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 300; i++) {
      byte[] body = right.clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        body[random.nextInt(body.length)] =
            random.nextBoolean() ? (byte) random.nextInt(256) : right[random.nextInt(body.length)];
      }
      ApiCaller.Answer answer =
          api.send(
              api.request("/api/v1/transactions")
                  .header("content-type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
      assertThat(answer.status())
          .as("%s: %s", new String(body, StandardCharsets.ISO_8859_1), answer.json())
          .isIn(200, 400, 404);
    }
    for (JsonNode figure : api.get("/metrics").ok().get("metrics")) {
      String name = figure.get("name").asText();
      if (name.equals("canopy_clients_staged_bytes")
          || name.equals("canopy_clients_transactions")) {
        assertThat(figure.get("value").doubleValue()).as(name).isZero();
      }
      if (name.equals("canopy_clients_failures")) {
        assertThat(figure.get("labels").get("code").asText())
            .isNotEqualTo(ErrorCode.INTERNAL_ERROR.id());
      }
    }
    api.delete("/indexes/things/entries/a");
  }

  private static String raw(String request) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
