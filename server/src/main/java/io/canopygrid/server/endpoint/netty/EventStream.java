package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.http.Api;
import io.canopygrid.server.endpoint.http.ApiRequest;
import io.canopygrid.server.endpoint.http.ApiResponse;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that gets server-sent events, turn by turn: a view is answered again {@value
 * #PAUSE_MILLIS} ms after the last answer was taken, other streams have turns of their own. A
 * receiver has at most the events of one turn to take, and one that does not take them in time is
 * closed. The user's rights are checked each time; an answer that is an error is the last event.
 * All is on the event loop but the turns themselves, which workers take.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class EventStream extends ChannelInboundHandlerAdapter {
  static final long PAUSE_MILLIS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  private final Service service;
  private final ApiRequest request;
  private final TurnLoop turns;
  private @Nullable ScheduledFuture<?> slow;
  private boolean isOver;

  private EventStream(Service service, ApiRequest request, TurnLoop turns) {
    this.service = service;
    this.request = request;
    this.turns = turns;
  }

  /** A view, which is answered anew at each turn. */
  private record View(Api api, ApiRequest request) implements ApiResponse.Turns {
    @Override
    public ApiResponse next() {
      return api.answer(request);
    }

    @Override
    public long pauseMillis() {
      return PAUSE_MILLIS;
    }

    @Override
    public void close() {}
  }

  /** Sends the first answer, and takes the connection over from the handler of the context. */
  static void begin(
      ChannelHandlerContext context, Service service, ApiRequest request, ApiResponse first) {
    ApiResponse.Turns given = first.turns();
    TurnLoop turns =
        new TurnLoop(
            context.channel().eventLoop(),
            service,
            given == null ? new View(service.api(), request) : given);
    if (!turns.open()) {
      LingeringClose.begin(context.channel(), HttpMessages.response(TurnLoop.tooMany(), true));
      return;
    }
    EventStream stream = new EventStream(service, request, turns);
    context.pipeline().replace(context.handler(), "events", stream);
    ChannelHandlerContext own = context.pipeline().context(stream);
    own.channel().config().setAutoRead(true); // what comes is dropped; an end must be seen
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers()
        .set(HttpHeaderNames.CONTENT_TYPE, first.type())
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED)
        .set("x-content-type-options", "nosniff")
        .set("x-accel-buffering", "no");
    own.write(head);
    stream.send(own, first.body());
  }

  private void send(ChannelHandlerContext context, byte[] events) {
    slow = SlowReceiver.closeLater(context, service);
    context
        .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(events)))
        .addListener((ChannelFuture sent) -> {
          cancelSlow();
          if (!sent.isSuccess()) {
            context.close();
          } else if (!isOver) {
            turns.later(answer -> answered(context, answer), why -> end(context));
          }
        });
  }

  private void answered(ChannelHandlerContext context, ApiResponse answer) {
    if (isOver) {
      return;
    }
    if (answer.isStream()) {
      send(context, answer.body());
      return;
    }
    String problem = new String(answer.body(), StandardCharsets.UTF_8);
    byte[] last = ("event: problem\ndata: " + problem + "\n").getBytes(StandardCharsets.UTF_8);
    context.write(new DefaultHttpContent(Unpooled.wrappedBuffer(last)));
    end(context);
  }

  private void end(ChannelHandlerContext context) {
    isOver = true;
    context
        .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
        .addListener(ChannelFutureListener.CLOSE);
  }

  private void cancelSlow() {
    if (slow != null) {
      slow.cancel(false);
      slow = null;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    isOver = true;
    cancelSlow();
    turns.close();
    super.channelInactive(context);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (ConnectionErrors.rootOf(cause) instanceof IOException) {
      LOG.debug("a stream of events to {} broke", request.client(), cause);
    } else {
      LOG.error("a stream of events to {} failed", request.client(), cause);
      service.metrics().closed(ErrorCode.INTERNAL_ERROR);
    }
    context.close();
  }
}
