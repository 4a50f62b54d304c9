package io.canopygrid.server.endpoint.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.canopygrid.server.endpoint.netty.SteppedNode.Way;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that wait for changes, on a simulated clock of their connections. */
final class TurnLoopTest {
  private static final String WAIT = "GET /api/v1/indexes/things/changes?wait=30s HTTP/1.1\r\n";
  private static final String HOST = "host: 127.0.0.1\r\n";

  private final SteppedNode node =
      new SteppedNode(() -> {
        throw new AssertionError("no handshake comes");
      });

  @AfterEach
  void stop() {
    node.close();
  }

  private void pass(EmbeddedChannel channel, long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    while (node.pool().step()) {
      channel.runPendingTasks();
    }
  }

  private EmbeddedChannel connect() {
    return node.connect(Way.OPEN, UnpooledByteBufAllocator.DEFAULT);
  }

  private void ask(EmbeddedChannel channel, String request) {
    channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
    pass(channel, 0);
  }

  private void put() {
    EmbeddedChannel channel = connect();
    ask(
        channel,
        "PUT /api/v1/indexes/things/entries/1 HTTP/1.1\r\n"
            + HOST
            + "content-type: application/json\r\ncontent-length: 14\r\n\r\n{\"value\":\"00\"}");
    assertThat(text(channel)).startsWith("HTTP/1.1 204");
    channel.close().syncUninterruptibly();
  }

  private static String text(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      text.append(next.toString(StandardCharsets.US_ASCII));
      next.release();
    }
    return text.toString();
  }

  /** A connection whose request waits. */
  private EmbeddedChannel waiting() {
    EmbeddedChannel channel = connect();
    ask(channel, WAIT + HOST + "\r\n");
    assertThat(text(channel)).isEmpty();
    assertThat(node.metrics()).contains("canopy_api_event_streams 1.0");
    return channel;
  }

  /** No worker is busy meanwhile, and the connection takes another request after it. */
  @Test
  void theAnswerComesAfterAChange() {
    EmbeddedChannel channel = waiting();
    pass(channel, 1_000);
    assertThat(text(channel)).isEmpty();
    assertThat(node.pool().step()).isFalse();
    put();
    StringBuilder answer = new StringBuilder();
    await() // the node tells of a commit a moment later, by its own clock
        .pollInSameThread()
        .until(() -> {
          pass(channel, 200);
          return !answer.append(text(channel)).isEmpty();
        });
    assertThat(answer.toString())
        .startsWith("HTTP/1.1 200 OK")
        .contains("\"transactions\":[{", "keep-alive");
    assertThat(node.metrics())
        .contains("canopy_api_event_streams 0.0", "/changes\",status=\"200\"}");
    ask(channel, "GET /api/v1/indexes HTTP/1.1\r\n" + HOST + "\r\n");
    assertThat(text(channel)).contains("probed0");
    channel.close().syncUninterruptibly();
    channel.checkException();
  }

  @Test
  void aConnectionThatIsGoneWaitsForNothing() {
    EmbeddedChannel channel = waiting();
    channel.close().syncUninterruptibly();
    pass(channel, 0);
    assertThat(node.metrics()).contains("canopy_api_event_streams 0.0");
    put();
    pass(channel, 1_000);
    assertThat(node.pool().step()).isFalse();
    assertThat(text(channel)).isEmpty();
    channel.checkException();
  }

  /** The turn that a worker takes just then is the last one. */
  @Test
  void aConnectionMayGoWhileATurnIsTaken() {
    EmbeddedChannel channel = waiting();
    channel.advanceTimeBy(1_000, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    channel.close().syncUninterruptibly();
    assertThat(node.metrics()).contains("canopy_api_event_streams 0.0");
    pass(channel, 0);
    pass(channel, 1_000);
    assertThat(node.pool().step()).isFalse();
    channel.checkException();
  }

  @Test
  void requestsThatWaitHaveAMaximum() {
    waiting();
    for (int i = 1; i < 32; i++) {
      ask(connect(), WAIT + HOST + "\r\n");
    }
    assertThat(node.metrics()).contains("canopy_api_event_streams 32.0");
    EmbeddedChannel more = connect();
    ask(more, WAIT + HOST + "\r\n");
    assertThat(text(more)).startsWith("HTTP/1.1 503").contains("CNPY-4007", "retry-after: 1");
    assertThat(node.metrics()).contains("canopy_api_event_streams 32.0");
  }
}
