package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The changes of an index as server-sent events. */
@Timeout(60)
final class FeedEventsTest {
  private static final String CHANGES = "things/changes";

  private static void put(ApiCaller api, long key) throws Exception {
    assertThat(api.put("/indexes/things/entries/" + key, "{\"value\":\"v\"}").status())
        .isEqualTo(204);
  }

  private static long key(FeedEvents.Event event) {
    assertThat(event.name()).isEmpty();
    return event.data().get("changes").get(0).get("key").asLong();
  }

  private static void isLast(FeedEvents events, ErrorCode code) throws IOException {
    FeedEvents.Event last = events.next();
    assertThat(last.name()).isEqualTo("problem");
    assertThat(last.data().get("title").asText()).isEqualTo(code.name());
    assertThat(events.isAtEnd()).isTrue();
  }

  @Test
  void eachTransactionIsAnEventAndAStreamGoesOnAfterItsLastId() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      server.node().snapshot("kept"); // of all that is told later
      String position;
      List<Long> keys = new ArrayList<>();
      try (FeedEvents events = new FeedEvents(api, CHANGES, "")) {
        assertThat(events.answer().headers().firstValue("content-type"))
            .contains("text/event-stream");
        assertThat(events.block()).as("the first block has a position only").isNull();
        position = events.position();
        assertThat(position).isNotEmpty();
        for (long key = 0; key < 20; key++) {
          put(api, key);
        }
        for (int i = 0; i < 20; i++) {
          keys.add(key(events.next()));
        }
        assertThat(keys).doesNotHaveDuplicates().hasSize(20);
        position = events.position();
      }
      api.transact(
              "{\"op\":\"delete\",\"index\":\"things\",\"key\":1}",
              "{\"op\":\"put\",\"index\":\"things\",\"key\":2,\"value\":\"w\"}")
          .ok();
      try (FeedEvents rest = new FeedEvents(api, CHANGES + "?since=none", position)) {
        JsonNode changes = rest.next().data();
        assertThat(changes)
            .hasToString(
                "{\"changes\":[{\"key\":1,\"before\":\"v\",\"after\":null},"
                    + "{\"key\":2,\"before\":\"v\",\"after\":\"w\"}]}");
        assertThat(rest.position()).isNotEqualTo(position);
      }
    }
  }

  /** A group that is longer than a part of the stream comes in several. */
  @Test
  void aLongGroupComesWhole() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      server.node().snapshot("begin");
      String value = "{\"value\":\"" + "x".repeat(200_000) + "\"}";
      for (int key = 0; key < 5; key++) {
        api.put("/indexes/things/entries/" + key, value);
      }
      try (FeedEvents events = new FeedEvents(api, CHANGES + "?since=begin", "")) {
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          keys.add(key(events.next()));
        }
        assertThat(keys).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
      }
    }
  }

  @Test
  void whatCannotBeOpenedIsNoStream() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      for (String wrong : List.of("?limit=1", "?wait=1s", "?since=a&asOf=b", "?after=x")) {
        try (FeedEvents events = new FeedEvents(api, CHANGES + wrong, "")) {
          assertThat(events.answer().statusCode()).as(wrong).isEqualTo(400);
        }
      }
      try (FeedEvents events = new FeedEvents(api, "none/changes", "")) {
        assertThat(events.answer().statusCode()).isEqualTo(404);
      }
      ApiCaller.Answer head =
          api.send(
              api.request("/api/v1/indexes/" + CHANGES)
                  .header("accept", "text/event-stream")
                  .method("HEAD", BodyPublishers.noBody()));
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.type()).isEqualTo("text/event-stream");
    }
  }

  @Test
  void aDroppedIndexEndsItsStreams() throws Exception {
    try (TestServer server = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      try (FeedEvents events = new FeedEvents(api, CHANGES, "")) {
        server.node().dropIndex("things");
        isLast(events, ErrorCode.UNKNOWN_INDEX);
      }
    }
  }

  /** A right that is taken away ends what it was needed for. */
  @Test
  void aStreamIsForThoseWhoMayReadTheIndex() throws Exception {
    try (TestServer server = TestServer.guarded()) {
      grant(server, "ada", "", "admin");
      grant(server, "rita", "things", "reader");
      ApiCaller ada = ApiCaller.of(server).as("ada", "ada");
      ApiCaller rita = ApiCaller.of(server).as("rita", "rita");
      ada.index("things", "int64", "string");
      ada.index("hers", "int64", "string");
      rita.get("/indexes/hers/changes").is(403, ErrorCode.FORBIDDEN);
      rita.get("/indexes/nothing/changes").is(403, ErrorCode.FORBIDDEN);
      try (FeedEvents refused = new FeedEvents(rita, "hers/changes", "")) {
        assertThat(refused.answer().statusCode()).isEqualTo(403);
      }
      try (FeedEvents events = new FeedEvents(rita, CHANGES, "")) {
        put(ada, 1);
        assertThat(key(events.next())).isEqualTo(1);
        grant(server, "rita", "hers", "reader");
        isLast(events, ErrorCode.FORBIDDEN);
      }
    }
  }

  private static void grant(TestServer server, String name, String index, String role) {
    server
        .users()
        .put(
            new Request.PutUser(
                name, Credentials.of(name.toCharArray()), List.of(new Request.Grant(index, role))));
  }

  @Test
  void aServerThatStopsRefusesToWait() throws Exception {
    EndpointLimits patient = EndpointLimits.builder().drainMillis(600_000).build();
    try (TestServer server = new TestServer(patient)) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      CompletableFuture<HttpResponse<String>> waiting =
          api.http()
              .sendAsync(
                  api.request("/api/v1/indexes/things/changes?wait=30s").build(),
                  HttpResponse.BodyHandlers.ofString());
      await().until(() -> api.streams() == 1);
      server.endpoint().close();
      HttpResponse<String> answer = waiting.get(10, TimeUnit.SECONDS);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains(ErrorCode.NOT_CONNECTED.id());
    }
  }

  /** Nobody waits for streams, as for transactions. */
  @Test
  void aServerThatStopsEndsIt() throws Exception {
    EndpointLimits patient = EndpointLimits.builder().drainMillis(600_000).build();
    try (TestServer server = new TestServer(patient)) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      try (FeedEvents events = new FeedEvents(api, CHANGES, "")) {
        server.endpoint().close();
        assertThatThrownBy(events::next).isInstanceOf(IOException.class);
      }
    }
  }
}
