package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Request;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Live views as server-sent events. */
@Timeout(60)
final class EventsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A stream of events, of which each is a name and its data. */
  private static final class Events implements AutoCloseable {
    private final HttpResponse<InputStream> answer;
    private final BufferedReader lines;

    Events(ApiCaller api) throws Exception {
      answer =
          api.http()
              .send(
                  api.request("/api/v1/events").build(), HttpResponse.BodyHandlers.ofInputStream());
      lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    /** The next event; its name is empty at the end of the stream. */
    Map.Entry<String, JsonNode> next() throws IOException {
      String name = lines.readLine();
      if (name == null) {
        return Map.entry("", JSON.nullNode());
      }
      String data = lines.readLine();
      assertThat(lines.readLine()).isEmpty();
      assertThat(name).startsWith("event: ");
      assertThat(data).startsWith("data: ");
      return Map.entry(name.substring(7), JSON.readTree(data.substring(6)));
    }

    /** The events of one turn. */
    Map<String, JsonNode> turn() throws IOException {
      Map<String, JsonNode> turn = new TreeMap<>();
      for (int i = 0; i < 3; i++) {
        Map.Entry<String, JsonNode> event = next();
        turn.put(event.getKey(), event.getValue());
      }
      return turn;
    }

    @Override
    public void close() {
      try {
        answer.body().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void eachEventIsWhatItsPathAnswers() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      try (Events events = new Events(api)) {
        assertThat(events.answer.headers().firstValue("content-type"))
            .contains("text/event-stream");
        Map<String, JsonNode> first = events.turn();
        assertThat(first).containsOnlyKeys("cluster", "jobs", "transactions");
        assertThat(of(first, "jobs")).isEqualTo(api.get("/jobs").ok());
        assertThat(of(first, "cluster").get("verdict"))
            .isEqualTo(api.get("/cluster").ok().get("verdict"));
        long before = labelled(of(first, "transactions"), "http");
        api.put("/indexes/things/entries/1", "{\"value\":\"one\"}");

        long after = before;
        while (after == before) { // a turn may have begun before the entry was put
          after = labelled(of(events.turn(), "transactions"), "http");
        }
        assertThat(after).isEqualTo(before + 1);
        assertThat(labelled(api.get("/transactions").ok(), "http")).isEqualTo(before + 1);
      }
    }
  }

  /** The data of an event that must be there. */
  private static JsonNode of(Map<String, JsonNode> turn, String event) {
    return Objects.requireNonNull(turn.get(event));
  }

  /** The commits with a label at the only node. */
  private static long labelled(JsonNode transactions, String label) {
    for (JsonNode row : transactions.get("nodes").get(0).get("labels")) {
      if (row.get("label").asText().equals(label)) {
        return row.get("commits").asLong();
      }
    }
    return 0;
  }

  @Test
  void theUsersRightsCountAtEachTurn() throws Exception {
    try (TestServer server = TestServer.guarded()) {
      ApiCaller.of(server).get("/events").is(401, ErrorCode.UNAUTHENTICATED);
      server.users().put(user("rita", "r", "reader"));
      try (Events events = new Events(ApiCaller.of(server).as("rita", "r"))) {
        assertThat(events.turn()).containsKey("cluster");
        server.users().remove("rita");
        Map.Entry<String, JsonNode> last = events.next();
        while (!last.getKey().equals("problem")) {
          assertThat(last.getKey()).isIn("cluster", "jobs", "transactions");
          last = events.next();
        }
        assertThat(last.getValue().get("code").asText()).isEqualTo(ErrorCode.FORBIDDEN.id());
        assertThat(events.next().getKey()).isEmpty();
      }
    }
  }

  private static Request.PutUser user(String name, String password, String role) {
    return new Request.PutUser(
        name, Credentials.of(password.toCharArray()), List.of(new Request.Grant("", role)));
  }

  @Test
  void streamsHaveAMaximumAndTheirEndIsSeen() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      List<Socket> streams = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        streams.add(open(server));
      }
      api.get("/events").is(503, ErrorCode.OVERLOADED);
      assertThat(api.streams()).isEqualTo(32);
      for (Socket stream : streams) {
        stream.close();
      }
      Awaitility.await().until(() -> api.streams() == 0);
      try (Events events = new Events(api)) {
        assertThat(events.turn()).containsKey("cluster");
      }
    }
  }

  /** A stream whose head has come. */
  private static Socket open(TestServer server) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket
        .getOutputStream()
        .write(
            "GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    assertThat(socket.getInputStream().read()).isEqualTo('H');
    return socket;
  }

  /** A server that stops does not wait for its listeners, as it does for transactions. */
  @Test
  void aServerThatStopsEndsItsStreams() throws Exception {
    EndpointLimits patient = EndpointLimits.builder().drainMillis(600_000).build();
    try (TestServer server = new TestServer(patient);
        Socket stream = open(server)) {
      server.endpoint().close();
      assertThat(stream.getInputStream().readAllBytes()).isNotEmpty();
    }
  }
}
