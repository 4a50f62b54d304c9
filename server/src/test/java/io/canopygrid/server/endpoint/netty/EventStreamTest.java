package io.canopygrid.server.endpoint.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.LogLines;
import io.canopygrid.server.endpoint.netty.SteppedNode.Way;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams of events on a simulated clock. */
final class EventStreamTest {
  private static final String ASK = "GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

  private final SteppedNode node =
      new SteppedNode(() -> {
        throw new AssertionError("no handshake comes");
      });
  private final LogLines log = new LogLines();

  @AfterEach
  void stop() {
    log.close();
    node.close();
  }

  private void pass(EmbeddedChannel channel, long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    while (node.pool().step()) {
      channel.runPendingTasks();
    }
  }

  private static String text(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      text.append(next.toString(StandardCharsets.US_ASCII));
      next.release();
    }
    return text.toString();
  }

  private EmbeddedChannel ask() {
    EmbeddedChannel channel = asking();
    pass(channel, 0);
    return channel;
  }

  /** A connection whose request waits for a worker. */
  private EmbeddedChannel asking() {
    EmbeddedChannel channel = node.connect(Way.OPEN, UnpooledByteBufAllocator.DEFAULT);
    channel.writeInbound(Unpooled.copiedBuffer(ASK, StandardCharsets.US_ASCII));
    return channel;
  }

  @Test
  void aReceiverThatIsGoneBeforeItsFirstEventIsNotCounted() {
    EmbeddedChannel channel = asking();
    channel.close().syncUninterruptibly();
    pass(channel, 0);
    assertThat(node.metrics()).contains("canopy_api_event_streams 0.0");
  }

  @Test
  void anEventComesAtOnceAndAfterEachPause() {
    EmbeddedChannel channel = ask();
    assertThat(text(channel))
        .startsWith("HTTP/1.1 200 OK")
        .contains("transfer-encoding: chunked", "event: cluster\ndata: {", "event: jobs\n");
    pass(channel, EventStream.PAUSE_MILLIS - 1);
    assertThat(text(channel)).isEmpty();
    pass(channel, 1);
    assertThat(text(channel)).contains("event: cluster\ndata: {").doesNotContain("HTTP/1.1");
    assertThat(node.metrics()).contains("canopy_api_event_streams 1.0");
    channel.close().syncUninterruptibly();
    assertThat(node.metrics()).contains("canopy_api_event_streams 0.0");
    pass(channel, 10 * EventStream.PAUSE_MILLIS);
    assertThat(text(channel)).isEmpty();
    channel.checkException();
  }

  /** A socket that no write leaves. */
  private static final class FullSocket extends ChannelOutboundHandlerAdapter {
    private int writes;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      ReferenceCountUtil.release(message);
      writes++;
    }
  }

  @Test
  void aReceiverThatDoesNotTakeItsEventGetsNoOtherAndIsClosed() {
    EmbeddedChannel channel = ask();
    FullSocket full = new FullSocket();
    channel.pipeline().addFirst(full);
    pass(channel, EventStream.PAUSE_MILLIS);
    int first = full.writes;
    assertThat(first).isPositive();
    pass(channel, SteppedNode.LIMITS.slowMillis() - 1);
    assertThat(channel.isOpen()).isTrue();
    assertThat(full.writes).as("one event at a time is under way").isEqualTo(first);
    pass(channel, 1);
    assertThat(channel.isOpen()).isFalse();
    assertThat(log.warnings(ErrorCode.OVERLOADED))
        .singleElement()
        .asString()
        .contains("does not take its answer");
    assertThat(node.metrics()).contains("canopy_api_event_streams 0.0");
  }

  /** The words of its client are thrown away meanwhile. */
  @Test
  void aStreamListensToNothingMore() {
    EmbeddedChannel channel = ask();
    text(channel);
    channel.writeInbound(Unpooled.copiedBuffer(ASK, StandardCharsets.US_ASCII));
    assertThat(text(channel)).isEmpty();
    pass(channel, EventStream.PAUSE_MILLIS);
    assertThat(text(channel)).containsOnlyOnce("event: cluster");
    channel.close().syncUninterruptibly();
    channel.checkException();
  }
}
