package io.canopygrid.server.endpoint.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.server.endpoint.LogLines;
import io.canopygrid.server.endpoint.TestClient;
import io.canopygrid.server.endpoint.netty.SteppedNode.Way;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests connections that send nothing, too little, or nothing more, on a simulated clock. Each
 * connection is closed, and the client, the log and the metrics have the reason.
 */
final class ConnectionEndsTest {
  private final SteppedNode node =
      new SteppedNode(() -> {
        throw new AssertionError("no handshake comes so far");
      });
  private final LogLines log = new LogLines();

  @AfterEach
  void stop() {
    log.close();
    node.close();
  }

  private EmbeddedChannel connect(Way way) {
    return node.connect(way, UnpooledByteBufAllocator.DEFAULT);
  }

  private EmbeddedChannel greeted() {
    EmbeddedChannel channel = connect(Way.OPEN);
    say(channel, 0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "test"));
    assertThat(heard(channel)).singleElement().isInstanceOf(Reply.Welcome.class);
    return channel;
  }

  private void say(EmbeddedChannel channel, int stream, ClientMessage message) {
    bytes(channel, WireCodec.encode(stream, message));
    work(channel);
  }

  private static void bytes(EmbeddedChannel channel, byte... bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
  }

  private void work(EmbeddedChannel channel) {
    while (node.pool().step()) {
      channel.runPendingTasks();
    }
  }

  private void pass(EmbeddedChannel channel, long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    work(channel);
  }

  private static List<ClientMessage> heard(EmbeddedChannel channel) {
    List<ClientMessage> messages = new ArrayList<>();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      while (next.isReadable()) {
        byte[] frame = new byte[next.readInt()];
        next.readBytes(frame);
        messages.add(WireCodec.decode(frame).message());
      }
      next.release();
    }
    return messages;
  }

  private static String text(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      text.append(next.toString(StandardCharsets.US_ASCII));
      next.release();
    }
    return text.toString();
  }

  /** Checks that the client has heard the reason, and then the end. */
  private void assertRefused(EmbeddedChannel channel, ErrorCode code, String why) {
    assertThat(heard(channel))
        .last()
        .isInstanceOfSatisfying(
            ClientMessage.Goodbye.class,
            goodbye -> {
              assertThat(goodbye.code()).isEqualTo(code.number());
              assertThat(goodbye.text()).contains(why);
            });
    assertThat(channel.isOpen()).as("it lingers for the client's sake").isTrue();
    pass(channel, LingeringClose.LINGER_MILLIS);
    assertEnded(channel, code, why);
  }

  private void assertEnded(EmbeddedChannel channel, ErrorCode code, String why) {
    assertThat(channel.isOpen()).isFalse();
    assertThat(log.warnings(code)).singleElement().asString().contains(why);
    assertThat(node.metrics())
        .contains("canopy_clients_closed_total{code=\"" + code.id() + "\"} 1.0");
    assertThat(node.connections()).isZero();
    assertThat(node.transactions()).isZero();
    channel.checkException();
  }

  @Test
  void oneThatSaysNothing() {
    EmbeddedChannel channel = connect(Way.OPEN);
    pass(channel, SteppedNode.LIMITS.helloMillis() - 1);
    assertThat(channel.isOpen()).isTrue();
    pass(channel, 1);
    assertRefused(channel, ErrorCode.UNAUTHENTICATED, "nothing in time");
  }

  @Test
  void oneThatDoesNotSayWhoItIs() {
    EmbeddedChannel channel = connect(Way.GUARDED);
    say(channel, 0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "test"));
    heard(channel);
    pass(channel, SteppedNode.LIMITS.helloMillis() + 1_000);
    assertRefused(channel, ErrorCode.UNAUTHENTICATED, "in time who it is");
  }

  @Test
  void aHandshakeOfTlsThatTrickles() {
    EmbeddedChannel channel = connect(Way.TLS);
    pass(channel, SteppedNode.LIMITS.helloMillis());
    assertEnded(channel, ErrorCode.UNAUTHENTICATED, "nothing in time");
  }

  @Test
  void aFrameThatTrickles() {
    EmbeddedChannel channel = greeted();
    byte[] frame = WireCodec.encode(1, new Request.OpenIndex("things", "", "", false, 64));
    for (int i = 0; channel.isOpen() && log.of(Level.WARN).isEmpty(); i++) {
      assertThat(i).isLessThan(frame.length);
      bytes(channel, frame[i]);
      pass(channel, 1_000);
    }
    assertRefused(channel, ErrorCode.PROTOCOL_ERROR, "takes too long");
  }

  @Test
  void oneThatIsIdle() {
    EmbeddedChannel channel = greeted();
    for (int i = 0; i < 3; i++) {
      pass(channel, SteppedNode.LIMITS.idleMillis() - 1_000);
      say(channel, 0, new ClientMessage.Ping(i));
    }
    assertThat(heard(channel)).hasSize(3).allMatch(ClientMessage.Pong.class::isInstance);
    pass(channel, SteppedNode.LIMITS.idleMillis() + 1_000);
    assertRefused(channel, ErrorCode.NOT_CONNECTED, "has said nothing for");
  }

  /** A half-open connection: the client's machine has gone, and the server is never told. */
  @Test
  void oneThatIsSilentlyGoneWithATransaction() {
    EmbeddedChannel channel = greeted();
    Step begin =
        TestClient.first(
            1, Step.Mode.UPDATE, new Step.Write(node.index(), new byte[4], new byte[1]));
    say(channel, 1, new Request.Get(begin, node.index(), new byte[4]));
    assertThat(node.transactions()).isEqualTo(1);
    pass(channel, SteppedNode.LIMITS.idleMillis() + 1_000);
    assertRefused(channel, ErrorCode.NOT_CONNECTED, "has said nothing for");
  }

  @Test
  void whatAVanishedClientHadUnderWayIsCarriedOutOrEnded() {
    EmbeddedChannel channel = greeted();
    Step begin = TestClient.first(1, Step.Mode.UPDATE);
    say(channel, 1, new Request.Get(begin, node.index(), new byte[4]));
    say(
        channel,
        2,
        new Request.Get(TestClient.first(2, Step.Mode.READ_ONLY), node.index(), new byte[4]));
    assertThat(node.transactions()).isEqualTo(2);
    bytes(
        channel,
        WireCodec.encode(
            3, new Request.CountRange(TestClient.next(1), node.index(), KeyRange.ALL)));
    assertThat(node.pool().waiting()).isEqualTo(1);
    var unused = channel.close();
    work(channel);
    assertThat(node.transactions()).isZero();
    assertThat(node.connections()).isZero();
  }

  /** Found by {@link PipelineFuzz}: the page was due when its transaction had ended. */
  @Test
  void aTransactionThatEndsWithACursorOpenEndsIt() {
    EmbeddedChannel channel = greeted();
    Step begin = TestClient.first(1, Step.Mode.READ_ONLY);
    Request.Scan scan =
        new Request.Scan(begin, node.index(), KeyRange.ALL, false, false, 10, 1, 1, 2);
    bytes(channel, WireCodec.encode(1, scan));
    bytes(channel, WireCodec.encode(2, new Request.End(1)));
    work(channel);
    assertThat(heard(channel)).isEmpty();
    assertThat(log.all()).isEmpty();
    assertThat(node.transactions()).isZero();
    say(channel, 1, scan);
    assertThat(heard(channel)).singleElement().isInstanceOf(Reply.Page.class);
  }

  @Test
  void noMoreIsReadThanMayBeUnderWay() {
    EmbeddedChannel channel = greeted();
    int most = SteppedNode.LIMITS.requestsMax();
    for (int i = 1; i <= most; i++) {
      assertThat(channel.config().isAutoRead()).isTrue();
      bytes(channel, WireCodec.encode(i, new Request.ListIndexes()));
    }
    assertThat(channel.config().isAutoRead()).isFalse();
    work(channel);
    assertThat(channel.config().isAutoRead()).isTrue();
    assertThat(heard(channel)).hasSize(most);
  }

  @Test
  void aRequestOfHttpThatTrickles() {
    EmbeddedChannel channel = connect(Way.OPEN);
    byte[] request = ascii("GET /health/live HTTP/1.1\r\nHost: a\r\n");
    for (int i = 0; log.of(Level.WARN).isEmpty(); i++) {
      assertThat(i).isLessThan(request.length);
      bytes(channel, request[i]);
      pass(channel, 500);
    }
    assertThat(text(channel)).startsWith("HTTP/1.1 408 ");
    pass(channel, LingeringClose.LINGER_MILLIS);
    assertEnded(channel, ErrorCode.PROTOCOL_ERROR, "the request is slow");
  }

  @Test
  void requestsOfHttpBehindTheFirstAreNotHeard() {
    EmbeddedChannel channel = connect(Way.OPEN);
    byte[] requests = ascii("GET /metrics HTTP/1.1\r\n\r\n".repeat(50));
    bytes(channel, requests);
    assertThat(node.pool().waiting()).isEqualTo(1);
    work(channel);
    assertThat(text(channel)).containsOnlyOnce("HTTP/1.1 200 OK");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void bodiesAndHeadersOfHttpAreLimited() {
    EmbeddedChannel large = connect(Way.OPEN);
    bytes(large, ascii("PUT / HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n"));
    assertThat(text(large)).startsWith("HTTP/1.1 413 ");
    pass(large, LingeringClose.LINGER_MILLIS);
    assertEnded(large, ErrorCode.PROTOCOL_ERROR, "the body has more than");
    log.clear();
    EmbeddedChannel wide = connect(Way.OPEN);
    bytes(wide, ascii("GET / HTTP/1.1\r\nA: " + "b".repeat(20_000) + "\r\n\r\n"));
    assertThat(text(wide)).startsWith("HTTP/1.1 400 ");
    pass(wide, LingeringClose.LINGER_MILLIS);
    assertThat(wide.isOpen()).isFalse();
    assertThat(log.warnings(ErrorCode.PROTOCOL_ERROR))
        .singleElement()
        .asString()
        .contains("not HTTP");
  }

  /** {@link PipelineFuzz} found such ends that were taken for failures of the server. */
  @Test
  void aLengthThatIsNoneAndABodyThatDoesNotComeAreTheClientsMistakes() {
    EmbeddedChannel odd = connect(Way.OPEN);
    bytes(odd, ascii("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: L9\r\n\r\n"));
    assertThat(text(odd)).startsWith("HTTP/1.1 400 ");
    pass(odd, LingeringClose.LINGER_MILLIS);
    assertEnded(odd, ErrorCode.PROTOCOL_ERROR, "not HTTP");
    log.clear();
    EmbeddedChannel half = connect(Way.OPEN);
    bytes(half, ascii("PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\n1234"));
    var unused = half.close();
    half.runPendingTasks();
    assertThat(log.all()).isEmpty();
    assertThat(node.connections()).isZero();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void whatIsSaidAfterTheGoodbyeIsThrownAway() {
    EmbeddedChannel channel = connect(Way.OPEN);
    bytes(channel, (byte) 0x16, (byte) 3);
    for (int i = 0; i < 10; i++) {
      bytes(channel, new byte[1_000]);
    }
    assertRefused(channel, ErrorCode.PROTOCOL_ERROR, "does not speak TLS");
  }
}
