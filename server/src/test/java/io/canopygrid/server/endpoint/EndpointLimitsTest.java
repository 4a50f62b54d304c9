package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients must not do, and what they get for it. */
final class EndpointLimitsTest {
  private TestServer server =
      new TestServer(
          EndpointLimits.DEFAULTS
              .withTimes(1_000, 2_500, 1_000, 3_000)
              .withPerConnection(16, 3, 2, 1_000));

  @AfterEach
  void stop() {
    server.close();
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
    client.say(1, new Request.OpenIndex("things", "int32", "bytes", true, 64, 1024));
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
    old.say(0, new Request.Hello(2, 3, 0, TestClient.CLIENT, "new"));
    refused(old, ErrorCode.PROTOCOL_ERROR);
    TestClient twice = greeted();
    twice.say(0, new Request.Hello(1, 1, 0, TestClient.CLIENT, "again"));
    refused(twice, ErrorCode.PROTOCOL_ERROR);
  }

  @Test
  void whoIsSlowOrSilentIsClosed() throws IOException {
    TestClient silent = new TestClient(server.port());
    assertThat(silent.hearsTheEnd()).isTrue();
    TestClient half = greeted();
    half.sayBytes(new byte[] {0, 0, 0, 20, 0x20});
    refused(half, ErrorCode.PROTOCOL_ERROR);
    TestClient idle = greeted();
    refused(idle, ErrorCode.NOT_CONNECTED);
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
    client.say(8, new Request.End(3));
    for (int i = 1; i <= 3; i++) {
      client.say(10 + i, scan(TestClient.next(2), index));
    }
    int failures = 0;
    for (int i = 1; i <= 3; i++) {
      ClientMessage answer = client.hear().message();
      failures += answer instanceof Reply.Failure ? 1 : 0;
    }
    assertThat(failures).isLessThanOrEqualTo(1);
    client.close();
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
    client.close();
    try (TestClient other = greeted()) {
      long begun = System.nanoTime();
      while (server.endpoint().connections() > 1 && System.nanoTime() - begun < 5_000_000_000L) {
        other.say(0, new ClientMessage.Ping(1));
        other.hear(ClientMessage.Pong.class);
      }
    }
    assertThat(server.endpoint().connections()).isLessThanOrEqualTo(1);
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
    assertThat(http("GET /health/live HTTP/1.1")).contains("200 OK").endsWith("live\n");
    assertThat(http("GET /health/ready HTTP/1.0")).contains("200 OK").endsWith("ready\n");
    assertThat(http("GET /metrics HTTP/1.1"))
        .contains("200 OK", "canopy_clients_connections", "jvm_memory_used_bytes");
    assertThat(http("GET /other HTTP/1.1")).contains("404");
    assertThat(http("POST /metrics HTTP/1.1")).contains("405");
    assertThat(http("GET /" + "a".repeat(9_000) + " HTTP/1.1")).contains("400");
  }

  private String http(String line) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      String request = line + "\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
