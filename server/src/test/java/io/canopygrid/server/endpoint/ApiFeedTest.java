package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Pages of the changes of an index, by HTTP. */
@Timeout(60)
final class ApiFeedTest {
  private static TestServer server;
  private static ApiCaller api;

  private String index = "";

  @BeforeAll
  static void start() {
    ClusterConfig config = ClusterConfig.of("feeds").port(0).retention(Duration.ofMinutes(5));
    server = TestServer.of(EmbeddedCanopy.join(config), 0);
    api = ApiCaller.of(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A server keeps the past, since pages keep nothing. Each test has an index of its own. */
  @BeforeEach
  void create(TestInfo test) throws Exception {
    index = test.getTestMethod().orElseThrow().getName();
    api.index(index, "int64", "json(any)");
  }

  private JsonNode page(String query) throws Exception {
    return api.get("/indexes/" + index + "/changes" + query).ok();
  }

  private String now() throws Exception {
    return page("").get("position").asText();
  }

  private void put(long key, String json) throws Exception {
    assertThat(
            api.put("/indexes/" + index + "/entries/" + key, "{\"value\":" + json + "}").status())
        .isEqualTo(204);
  }

  private String op(String kind, long key, String more) {
    return "{\"op\":\"" + kind + "\",\"index\":\"" + index + "\",\"key\":" + key + more + "}";
  }

  @Test
  void aPageHasWholeTransactionsAndTheNextOneGoesOn() throws Exception {
    String begin = now();
    api.transact(op("put", 2, ",\"value\":\"b\""), op("put", 1, ",\"value\":{\"n\":1}")).ok();
    JsonNode page = page("?wait=20s&after=" + begin);
    assertThat(page.get("transactions"))
        .hasToString(
            "[{\"changes\":[{\"key\":1,\"before\":null,\"after\":{\"n\":1}},"
                + "{\"key\":2,\"before\":null,\"after\":\"b\"}]}]");

    api.transact(op("put", 1, ",\"value\":7"), op("delete", 2, "")).ok();
    String after = page.get("position").asText();
    assertThat(page("?wait=20s&after=" + after).get("transactions"))
        .hasToString(
            "[{\"changes\":[{\"key\":1,\"before\":{\"n\":1},\"after\":7},"
                + "{\"key\":2,\"before\":\"b\",\"after\":null}]}]");
  }

  @Test
  void aPositionAlsoComesInTheHeader() throws Exception {
    String begin = now();
    put(1, "1");
    String path = "/api/v1/indexes/" + index + "/changes?wait=20s&since=none";
    HttpRequest.Builder request = api.request(path).header("last-event-id", begin);
    assertThat(api.send(request).ok().get("transactions")).hasSize(1);
  }

  @Test
  void aRequestWaitsForTheFirstTransaction() throws Exception {
    String begin = now();
    CompletableFuture<JsonNode> waiting = new CompletableFuture<>();
    Thread asking =
        new Thread(() -> {
          try {
            waiting.complete(page("?wait=30s&after=" + begin));
          } catch (Exception e) {
            waiting.completeExceptionally(e);
          }
        });
    asking.start();
    await().until(() -> api.streams() == 1);
    put(5, "5");
    assertThat(waiting.get(20, TimeUnit.SECONDS).get("transactions").toString())
        .contains("\"key\":5");
    asking.join();
    await().until(() -> api.streams() == 0);
  }

  @Test
  void aPageIsEmptyWhenTheTimeIsOver() throws Exception {
    long beganNanos = System.nanoTime();
    JsonNode page = page("?wait=300ms");
    assertThat(page.get("transactions")).isEmpty();
    assertThat(page.get("position").asText()).isNotEmpty();
    assertThat(System.nanoTime() - beganNanos).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(299));
  }

  @Test
  void onlyTheKeysOfTheRangeAreTold() throws Exception {
    String begin = now();
    for (long key = 1; key <= 5; key++) {
      put(key, "true");
    }
    JsonNode page = page("?wait=20s&from=2&to=2&after=" + begin);
    assertThat(page.get("transactions")).hasSize(1);
    assertThat(page.get("transactions").toString()).contains("\"key\":2");
    api.index("words", "string", "string");
    String before = api.get("/indexes/words/changes").ok().get("position").asText();
    api.put("/indexes/words/entries/aa", "{\"value\":\"1\"}");
    api.put("/indexes/words/entries/ba", "{\"value\":\"2\"}");
    JsonNode b = api.get("/indexes/words/changes?prefix=b&wait=20s&after=" + before).ok();
    assertThat(b.get("transactions")).hasSize(1);
  }

  /** No transaction is missing where pages are followed, however they are cut. */
  @Test
  void pagesFollowEachOther() throws Exception {
    String position = now();
    for (long key = 0; key < 50; key++) {
      put(key, Long.toString(key));
    }
    int found = 0;
    while (found < 50) {
      JsonNode page = page("?limit=1&wait=20s&after=" + position);
      found += page.get("transactions").size();
      position = page.get("position").asText();
    }
    assertThat(found).isEqualTo(50);
  }

  @Test
  void aNamedSnapshotIsABeginning() throws Exception {
    put(1, "\"old\"");
    server.node().snapshot("night");
    put(1, "\"new\"");
    assertThat(page("?wait=20s&since=night").get("transactions"))
        .hasToString("[{\"changes\":[{\"key\":1,\"before\":\"old\",\"after\":\"new\"}]}]");
    server.node().dropSnapshot("night");
  }

  @Test
  void aTimeIsABeginning() throws Exception {
    put(1, "1");
    await().atMost(Duration.ofSeconds(20)).until(() -> isKept(Instant.now().minusMillis(500)));
    Instant time = Instant.now().minusMillis(500);
    put(1, "2");
    await().until(() -> page("?asOf=" + time).toString().contains("\"before\":1,\"after\":2"));
  }

  private boolean isKept(Instant time) throws Exception {
    return api.get("/indexes/" + index + "/changes?asOf=" + time).status() == 200;
  }

  @Test
  void whatIsNotKeptIsGone() throws Exception {
    try (TestServer forgetful = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller there = ApiCaller.of(forgetful);
      there.index("things", "int64", "int64");
      String begin = there.get("/indexes/things/changes").ok().get("position").asText();
      String path = "/indexes/things/changes?after=" + begin;
      await()
          .until(() -> {
            there.put("/indexes/things/entries/1", "{\"value\":1}");
            return there.get(path).status() != 200;
          });
      there.get(path).is(410, ErrorCode.CHANGES_LOST);
    }
  }

  @Test
  void wrongParametersAreNamed() throws Exception {
    String path = "/indexes/" + index + "/changes?";
    String position = now();
    for (String wrong :
        new String[] {
          "wait=31s",
          "wait=5",
          "wait=",
          "limit=0",
          "limit=1001",
          "asOf=yesterday",
          "since=a%20b",
          "since=a&asOf=2026-11-28T12:00:00Z",
          "since=a&after=" + position,
          "prefix=1",
          "resume=1"
        }) {
      api.get(path + wrong).is(400, ErrorCode.INVALID_ARGUMENT);
    }
    api.get(path + "from=x").is(400, ErrorCode.CODEC_FAILURE);
    api.get(path + "after=xyz").is(400, ErrorCode.INVALID_TOKEN);
    api.get(path + "after=").is(400, ErrorCode.INVALID_TOKEN);
    api.get(path + "since=none").is(404, ErrorCode.UNKNOWN_SNAPSHOT);
    api.get("/indexes/none/changes").is(404, ErrorCode.UNKNOWN_INDEX);
    api.index("other", "int64", "string");
    String detail =
        api.get("/indexes/other/changes?after=" + position)
            .is(400, ErrorCode.INVALID_TOKEN)
            .json()
            .get("detail")
            .asText();
    assertThat(detail)
        .isEqualTo("the position is of index '" + index + "', and the feed of 'other'");
  }

  @Test
  void aPositionOfAnotherGridIsRefused() throws Exception {
    try (TestServer other = new TestServer(EndpointLimits.DEFAULTS)) {
      ApiCaller there = ApiCaller.of(other);
      there.index(index, "int64", "json(any)");
      there.get("/indexes/" + index + "/changes?after=" + now()).is(400, ErrorCode.INVALID_TOKEN);
    }
  }
}
