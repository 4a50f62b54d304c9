package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.http.ApiRequest;
import io.canopygrid.server.endpoint.http.ApiResponse;
import io.canopygrid.server.endpoint.http.ProblemAnswer;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that gets the same request answered again and again, as server-sent events: the next
 * answer is made {@value #PAUSE_MILLIS} ms after the last one was taken, so a receiver has at most
 * one to take. A receiver that does not take it in time is closed. The user's rights are checked
 * each time; an answer that is an error is the last event. All is on the event loop but the answers
 * themselves, which workers make.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class EventStream extends ChannelInboundHandlerAdapter {
  /** The most streams of a server: each costs every node an answer at each turn. */
  static final int STREAMS_MAX = 32;

  static final long PAUSE_MILLIS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  private final Service service;
  private final ApiRequest request;
  private @Nullable ScheduledFuture<?> next;
  private boolean isOver;

  private EventStream(Service service, ApiRequest request) {
    this.service = service;
    this.request = request;
  }

  /** Sends the first answer, and takes the connection over from the handler of the context. */
  static void begin(
      ChannelHandlerContext context, Service service, ApiRequest request, ApiResponse first) {
    if (service.metrics().eventStreams().incrementAndGet() > STREAMS_MAX) {
      service.metrics().eventStreams().decrementAndGet();
      LingeringClose.begin(
          context.channel(),
          HttpMessages.response(
              ProblemAnswer.of(
                  503,
                  ErrorCode.OVERLOADED,
                  "the server has " + STREAMS_MAX + " streams of events, which is the most"),
              true));
      return;
    }
    EventStream stream = new EventStream(service, request);
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
    next = SlowReceiver.closeLater(context, service);
    context
        .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(events)))
        .addListener((ChannelFuture sent) -> {
          cancelNext();
          if (!sent.isSuccess()) {
            context.close();
          } else if (!isOver) {
            next =
                context
                    .executor()
                    .schedule(() -> turn(context), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
          }
        });
  }

  private void turn(ChannelHandlerContext context) {
    if (service.isDraining()) {
      end(context);
      return;
    }
    boolean isAccepted =
        service
            .workers()
            .submit(() -> {
              ApiResponse answer = service.api().answer(request);
              context.channel().eventLoop().execute(() -> answered(context, answer));
            });
    if (!isAccepted) {
      end(context);
    }
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

  private void cancelNext() {
    if (next != null) {
      next.cancel(false);
      next = null;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    isOver = true;
    cancelNext();
    service.metrics().eventStreams().decrementAndGet();
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
