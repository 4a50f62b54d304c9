package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.ReadFrom;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests requests that are wrong or above a limit: the client, the log and the metrics have the
 * reason. {@code ConnectionEndsTest} tests the deadlines.
 */
final class EndpointLimitsTest {
  private final TestServer server =
      new TestServer(
          EndpointLimits.builder()
              .connectionsMax(8)
              .helloMillis(20_000)
              .idleMillis(60_000)
              .drainMillis(20_000)
              .requestsMax(16)
              .transactionsMax(3)
              .cursorsMax(2)
              .transactionBytesMax(1_000)
              .build());
  private final LogLines log = new LogLines();

  @AfterEach
  void stop() {
    log.close();
    server.close();
  }

  private String metric(String name) throws IOException {
    return http("GET /metrics HTTP/1.1")
        .lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .orElse("none");
  }

  private String closed(ErrorCode code) throws IOException {
    return metric("canopy_clients_closed_total{code=\"" + code.id() + "\"}");
  }

  private String failures(ErrorCode code) throws IOException {
    return metric("canopy_clients_failures_total{code=\"" + code.id() + "\"}");
  }

  /** Waits until the node has so many open transactions. */
  private void awaitTransactions(String count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(metric("canopy_clients_transactions ")).isEqualTo(count));
  }

  private TestClient greeted() throws IOException {
    return TestClient.greeted(server.port());
  }

  private static void refused(TestClient client, ErrorCode code) throws IOException {
    ClientMessage.Goodbye goodbye = client.hear(ClientMessage.Goodbye.class);
    assertThat(goodbye.code()).as(goodbye.text()).isEqualTo(code.number());
    assertThat(client.hearsTheEnd()).isTrue();
    client.close();
  }

  private static int open(TestClient client) throws IOException {
    client.say(1, new Request.OpenIndex("things", "int32", "bytes", true, 1024));
    return client.hear(Reply.IndexOpened.class).index();
  }

  @Test
  void whatIsNotTheProtocolIsClosedWithAReason() throws IOException {
    byte[][] wrong = {
      {0, 0, 0, 1, 9}, // too short
      {0, 0x7F, 0, 0}, // too long
      {0, 0, 0, 5, 0x77, 0, 0, 0, 0}, // no such type
      {0x16, 3, 1, 0, 5}, // TLS
      {(byte) 0xFF, 1, 2, 3},
    };
    for (byte[] bytes : wrong) {
      TestClient client = new TestClient(server.port());
      client.sayBytes(bytes);
      refused(client, ErrorCode.PROTOCOL_ERROR);
    }
  }

  @Test
  void nothingIsServedBeforeHello() throws IOException {
    TestClient client = new TestClient(server.port());
    client.say(1, new Request.ListIndexes());
    refused(client, ErrorCode.PROTOCOL_ERROR);
    TestClient old = new TestClient(server.port());
    old.say(0, new Request.Hello(3, 4, 0, TestClient.CLIENT, "new"));
    refused(old, ErrorCode.PROTOCOL_ERROR);
    TestClient twice = greeted();
    twice.say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "again"));
    refused(twice, ErrorCode.PROTOCOL_ERROR);
  }

  @Test
  void aClientOfAnotherGridIsSentAwayBeforeItsRequestsAreTaken() throws IOException {
    TestClient client = new TestClient(server.port());
    client.say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "old", GridId.random()));
    client.say(1, new Request.OpenIndex("by the old client", "int32", "bytes", true, 1024));
    refused(client, ErrorCode.GRID_CHANGED);
    TestClient next = new TestClient(server.port());
    next.say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "new"));
    GridId grid = next.hear(Reply.Welcome.class).grid().id();
    next.say(1, new Request.ListIndexes());
    assertThat(next.hear(Reply.Indexes.class).indexes())
        .noneMatch(index -> index.name().equals("by the old client"));
    next.close();
    TestClient again = new TestClient(server.port());
    again.say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "again", grid));
    assertThat(again.hear(Reply.Welcome.class).grid().id()).isEqualTo(grid);
    again.close();
  }

  @Test
  void aClockThatThisGridCannotHaveEndsWithItsConnection() throws IOException {
    TestClient client = greeted();
    int index = open(client);
    VectorClock forged = VectorClock.ZERO.with(9_000, 5);
    Step.Begin begin =
        new Step.Begin(Step.Mode.READ_ONLY, ReadFrom.PRIMARY, 10_000, "", "", forged);
    client.say(2, new Request.Get(new Step(1, begin, List.of(), true), index, new byte[4]));
    assertThat(client.hear(Reply.Failure.class).code()).isEqualTo(ErrorCode.INVALID_TOKEN.number());
    refused(client, ErrorCode.INVALID_TOKEN);
    TestClient next = greeted();
    next.say(2, new Request.Get(TestClient.only(1), open(next), new byte[4]));
    assertThat(next.hear(Reply.Value.class).value()).isNull();
    next.close();
  }

  @Test
  void theReasonArrivesThoughMuchMoreWasSent() throws IOException {
    int attempts = 1;
    while (!hearsTheReasonThoughItSendsMuchMore()) {
      attempts++;
      assertThat(attempts).isLessThan(10);
    }
    assertThat(log.warnings(ErrorCode.PROTOCOL_ERROR))
        .hasSize(attempts)
        .allMatch(line -> line.contains("2130706432"));
    assertThat(closed(ErrorCode.PROTOCOL_ERROR)).isEqualTo(attempts + ".0");
  }

  /** False: the client took longer than the server goes on to read, and is told nothing. */
  private boolean hearsTheReasonThoughItSendsMuchMore() throws IOException {
    long begun = System.nanoTime();
    try (TestClient client = greeted()) {
      client.sayBytes(new byte[] {0x7F, 0, 0, 0, 0x20});
      client.sayBytes(new byte[1 << 20]);
      refused(client, ErrorCode.PROTOCOL_ERROR);
      return true;
    } catch (SocketException | EOFException e) {
      if (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(1)) {
        throw e;
      }
      return false;
    }
  }

  @Test
  void connectionsAreLimited() throws IOException {
    List<TestClient> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      clients.add(greeted());
    }
    refused(new TestClient(server.port()), ErrorCode.OVERLOADED);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> RemoteCanopy.connect("canopy://" + server.address()).close())
        .withMessageContaining("the server has 8 connections, no more are taken")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED));
    assertThat(log.warnings(ErrorCode.OVERLOADED)).hasSize(2);
    clients.get(0).close();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(closed(ErrorCode.OVERLOADED)).isNotEqualTo("none"));
    for (TestClient client : clients) {
      client.close();
    }
  }

  @Test
  void aClientThatDoesNotTakeItsAnswersIsClosedAndItsTransactionsEnded() throws IOException {
    try (TestServer roomy = new TestServer(EndpointLimits.builder().slowMillis(5_000).build());
        TestClient client = TestClient.greeted(roomy.port())) {
      int index = open(client);
      Step.Write large = new Step.Write(index, new byte[4], new byte[4 << 20]);
      client.say(
          2, new Request.Commit(TestClient.first(1, Step.Mode.UPDATE, large), null, List.of()));
      client.hear(Reply.Done.class);
      for (int i = 0; i < 30; i++) {
        client.say(
            10 + i,
            new Request.Get(TestClient.first(10 + i, Step.Mode.UPDATE), index, new byte[4]));
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(roomy.endpoint().connections()).isZero());
      assertThat(log.warnings(ErrorCode.OVERLOADED))
          .singleElement()
          .asString()
          .contains("does not take its answers");
      assertThat(http(roomy.port(), "GET /metrics HTTP/1.1"))
          .contains("canopy_clients_closed_total{code=\"CNPY-4007\"} 1.0");
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() ->
              assertThat(http(roomy.port(), "GET /metrics HTTP/1.1"))
                  .contains("canopy_clients_transactions 0.0"));
    }
  }

  @Test
  void whatIsRemovedCountsToo() throws IOException {
    try (TestClient client = greeted()) {
      int index = open(client);
      for (int t = 1; t <= 4; t++) { // 4 times 80 keys of 4 bytes: more than 1,000
        Step.Write[] writes = new Step.Write[80];
        for (int i = 0; i < writes.length; i++) {
          writes[i] = new Step.Write(index, new byte[] {1, 2, (byte) t, (byte) i}, new byte[0]);
        }
        Step step = TestClient.first(t, Step.Mode.UPDATE, writes);
        client.say(t, new Request.Commit(step, null, List.of()));
        client.hear(Reply.Done.class);
      }
      Step first = TestClient.first(9, Step.Mode.UPDATE);
      client.say(9, new Request.RemoveRange(first, index, KeyRange.ALL));
      assertThat(client.hear(Reply.Failure.class).code())
          .isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE.number());
      client.say(10, new Request.End(9));
      client.say(11, new Request.CountRange(TestClient.only(11), index, KeyRange.ALL));
      assertThat(client.hear(Reply.Count.class).count()).isEqualTo(320);
    }
  }

  @Test
  void whatAllClientsHaveWrittenAndNotCommittedIsLimited() throws IOException {
    EndpointLimits limits = EndpointLimits.builder().stagedBytesMax(1_500).build();
    try (TestServer roomy = new TestServer(limits);
        TestClient one = TestClient.greeted(roomy.port());
        TestClient other = TestClient.greeted(roomy.port())) {
      int index = open(one);
      Step.Write write = new Step.Write(index, new byte[4], new byte[1_000]);
      one.say(1, new Request.Stage(TestClient.first(1, Step.Mode.UPDATE, write)));
      one.hear(Reply.Done.class);
      other.say(1, new Request.Stage(TestClient.first(1, Step.Mode.UPDATE, write)));
      assertFails(other, ErrorCode.OVERLOADED);
      assertThat(log.warnings(ErrorCode.OVERLOADED))
          .singleElement()
          .asString()
          .contains("open transactions of all clients have written 1004 bytes");
      other.say(2, new Request.End(1));
      one.say(2, new Request.Commit(TestClient.next(1), null, List.of()));
      one.hear(Reply.Done.class);
      other.say(3, new Request.Stage(TestClient.first(3, Step.Mode.UPDATE, write)));
      other.hear(Reply.Done.class);
    }
  }

  @Test
  void transactionsCursorsAndWritesAreLimited() throws IOException {
    TestClient client = greeted();
    int index = open(client);
    for (int i = 1; i <= 3; i++) {
      client.say(i, new Request.Get(TestClient.first(i, Step.Mode.UPDATE), index, new byte[4]));
      client.hear(Reply.Value.class);
    }
    client.say(4, new Request.Get(TestClient.first(4, Step.Mode.UPDATE), index, new byte[4]));
    assertFails(client, ErrorCode.OVERLOADED);
    Step.Write large = new Step.Write(index, new byte[4], new byte[1_000]);
    client.say(5, new Request.Stage(TestClient.next(1, large)));
    assertFails(client, ErrorCode.TRANSACTION_TOO_LARGE);
    client.say(
        6, new Request.Stage(TestClient.next(2, new Step.Write(index, new byte[9000], null))));
    assertFails(client, ErrorCode.KEY_TOO_LARGE);
    client.say(7, new Request.Commit(TestClient.first(9, Step.Mode.READ_ONLY), null, List.of()));
    assertFails(client, ErrorCode.OVERLOADED);
    assertThat(log.warnings(ErrorCode.OVERLOADED)).as("once for a connection").hasSize(1);
    assertThat(failures(ErrorCode.OVERLOADED)).isEqualTo("2.0");
    assertThat(failures(ErrorCode.KEY_TOO_LARGE)).isEqualTo("1.0");
    client.close();
    awaitTransactions("0.0");
  }

  @Test
  void cursorsAreLimited() throws IOException {
    TestClient client = greeted();
    int index = open(client);
    Step.Write[] writes = new Step.Write[5];
    for (int i = 0; i < writes.length; i++) {
      writes[i] = new Step.Write(index, new byte[] {(byte) 0x80, 0, 0, (byte) i}, new byte[1]);
    }
    client.say(
        2, new Request.Commit(TestClient.first(1, Step.Mode.UPDATE, writes), null, List.of()));
    client.hear(Reply.Done.class);
    client.say(11, scan(TestClient.first(2, Step.Mode.READ_ONLY), index));
    assertThat(client.hear(Reply.Page.class).end()).isFalse();
    client.say(12, scan(TestClient.next(2), index));
    assertThat(client.hear(Reply.Page.class).end()).isFalse();
    client.say(13, scan(TestClient.next(2), index));
    assertFails(client, ErrorCode.OVERLOADED);
    assertThat(log.warnings(ErrorCode.OVERLOADED))
        .singleElement()
        .asString()
        .contains("2 cursors are open on this connection");
    client.say(12, new Request.CloseCursor());
    client.say(14, scan(TestClient.next(2), index));
    ClientMessage next = client.hear().message();
    while (next instanceof Reply.Failure) { // until the cursor is closed
      client.say(14, scan(TestClient.next(2), index));
      next = client.hear().message();
    }
    assertThat(next).isInstanceOf(Reply.Page.class);
    client.close();
    awaitTransactions("0.0");
  }

  private static Request.Scan scan(Step step, int index) {
    return new Request.Scan(step, index, KeyRange.ALL, false, false, 10, 1, 1, 1);
  }

  private static void assertFails(TestClient client, ErrorCode code) throws IOException {
    Reply.Failure failure = client.hear(Reply.Failure.class);
    assertThat(failure.code()).as(failure.detail()).isEqualTo(code.number());
  }

  @Test
  void theTransactionsOfAVanishedClientAreEnded() throws IOException {
    TestClient client = greeted();
    int index = open(client);
    client.say(2, new Request.Get(TestClient.first(2, Step.Mode.UPDATE), index, new byte[4]));
    client.hear(Reply.Value.class);
    Step.Write write = new Step.Write(index, new byte[4], new byte[1]);
    client.say(3, new Request.Stage(TestClient.first(3, Step.Mode.SERIALIZABLE, write)));
    client.hear(Reply.Done.class);
    assertThat(metric("canopy_clients_transactions ")).isEqualTo("2.0");
    client.close();
    awaitTransactions("0.0");
    try (TestClient other = greeted()) {
      other.say(
          4, new Request.Commit(TestClient.first(4, Step.Mode.UPDATE, write), null, List.of()));
      other.hear(Reply.Done.class);
    }
  }

  @Test
  void aServerThatStopsLetsTransactionsEnd() throws Exception {
    TestClient client = greeted();
    int index = open(client);
    client.say(2, new Request.Get(TestClient.first(2, Step.Mode.UPDATE), index, new byte[4]));
    client.hear(Reply.Value.class);
    CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> server.endpoint().close());
    client.hear(Reply.Drain.class);
    client.say(3, new Request.Get(TestClient.only(3), index, new byte[4]));
    assertFails(client, ErrorCode.NOT_CONNECTED);
    Step.Write write = new Step.Write(index, new byte[4], new byte[1]);
    client.say(4, new Request.Commit(TestClient.next(2, write), null, List.of()));
    client.hear(Reply.Done.class);
    refused(client, ErrorCode.CANOPY_CLOSED);
    stop.get();
  }

  @Test
  void healthAndMetricsAreHttp() throws IOException {
    greeted().close();
    assertThat(http("GET http://a:1/health/live?x HTTP/1.1")).contains("200 OK").endsWith("live\n");
    assertThat(http("GET /health/live HTTP/1.1")).contains("200 OK").endsWith("live\n");
    assertThat(http("GET /health/ready HTTP/1.0")).contains("200 OK").endsWith("ready\n");
    assertThat(http("GET /metrics HTTP/1.1"))
        .contains("200 OK", "canopy_clients_connections", "jvm_memory_used_bytes");
    assertThat(http("GET /other HTTP/1.1")).contains("404");
    assertThat(http("POST /metrics HTTP/1.1")).contains("405");
    assertThat(http("GET /" + "a".repeat(9_000) + " HTTP/1.1")).contains("400");
  }

  private String http(String line) throws IOException {
    return http(server.port(), line);
  }

  private static String http(int port, String line) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      String request = line + "\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
