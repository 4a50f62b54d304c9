package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.TooLongHttpContentException;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP pages of a server: what it is, health, metrics. A connection has one answer; requests
 * after the first are discarded. The request must have come within {@link
 * EndpointLimits#helloMillis}, and the client must take the answer within {@link
 * EndpointLimits#slowMillis}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class HttpPages extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpPages.class);

  private final Service service;
  private @Nullable ScheduledFuture<?> deadline;
  private boolean asked;

  HttpPages(Service service) {
    super(FullHttpRequest.class);
    this.service = service;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    deadline =
        context
            .executor()
            .schedule(
                () -> refuse(context, HttpResponseStatus.REQUEST_TIMEOUT, "the request is slow"),
                service.limits().helloMillis(),
                TimeUnit.MILLISECONDS);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (asked) {
      return;
    }
    if (!request.decoderResult().isSuccess()) {
      refuse(
          context,
          HttpResponseStatus.BAD_REQUEST,
          "not HTTP: " + request.decoderResult().cause().getMessage());
      return;
    }
    asked(context);
    page(context, request);
  }

  /** Stops reading, and sets the deadline by which the client must have taken the answer. */
  private void asked(ChannelHandlerContext context) {
    asked = true;
    context.channel().config().setAutoRead(false);
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline = SlowReceiver.closeLater(context, service);
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String why) {
    if (asked) {
      return;
    }
    asked = true;
    String text = ConnectionErrors.printable(why);
    LOG.warn(
        "{} closes the connection of {}: {}",
        ErrorCode.PROTOCOL_ERROR,
        context.channel().remoteAddress(),
        text);
    service.metrics().closed(ErrorCode.PROTOCOL_ERROR);
    LingeringClose.begin(
        context.channel(), HttpMessages.response(status, HttpMessages.PLAIN, text + "\n"));
  }

  private void page(ChannelHandlerContext context, FullHttpRequest request) {
    if (HttpMessages.path(request.uri()).equals(RecoverPage.PATH)) {
      recover(context, request.retain());
      return;
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      answer(context, HttpResponseStatus.METHOD_NOT_ALLOWED, HttpMessages.PLAIN, "only GET\n");
      return;
    }
    switch (HttpMessages.path(request.uri())) {
      case ServerPage.PATH ->
          onWorker(context, () -> send(context, ServerPage.of(service, obstacle())));
      case "/health/live" -> answer(context, HttpResponseStatus.OK, HttpMessages.PLAIN, "live\n");
      case "/health/ready" -> ready(context);
      case "/metrics" -> metrics(context, MetricsFormat.of(request.headers()));
      default ->
          answer(
              context,
              HttpResponseStatus.NOT_FOUND,
              HttpMessages.PLAIN,
              "there are /, /console/, /health/live, /health/ready and /metrics\n");
    }
  }

  private void ready(ChannelHandlerContext context) {
    if (service.isDraining()) {
      answer(
          context, HttpResponseStatus.SERVICE_UNAVAILABLE, HttpMessages.PLAIN, obstacle() + "\n");
      return;
    }
    onWorker(
        context,
        () -> {
          String obstacle = obstacle();
          if (obstacle.isEmpty()) {
            answer(context, HttpResponseStatus.OK, HttpMessages.PLAIN, "ready\n");
          } else {
            answer(
                context,
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                HttpMessages.PLAIN,
                obstacle + "\n");
          }
        });
  }

  /** Takes over the request. */
  private void recover(ChannelHandlerContext context, FullHttpRequest request) {
    boolean isGuarded = !service.authentication().mechanisms().isEmpty();
    onWorker(
        context,
        () -> {
          try {
            RecoverPage.Answer answer =
                RecoverPage.answer(
                    context.channel(), request, service.node().lostDisks(), isGuarded);
            answer(context, answer.status(), answer.type(), answer.text());
          } finally {
            request.release();
          }
        });
  }

  /** Why clients are not to come here now, in words; empty: they are. */
  private String obstacle() {
    return service.isDraining() ? "about to stop" : service.node().obstacle();
  }

  private void metrics(ChannelHandlerContext context, String type) {
    if (!service.metricsShown()) {
      answer(
          context,
          HttpResponseStatus.NOT_FOUND,
          HttpMessages.PLAIN,
          "metrics are off (metrics.enabled)\n");
      return;
    }
    onWorker(
        context, () -> answer(context, HttpResponseStatus.OK, type, service.metrics().text(type)));
  }

  private void onWorker(ChannelHandlerContext context, Runnable task) {
    if (!service.workers().submit(task)) {
      answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, HttpMessages.PLAIN, "overloaded\n");
    }
  }

  private static void answer(
      ChannelHandlerContext context, HttpResponseStatus status, String type, String text) {
    send(context, HttpMessages.response(status, type, text));
  }

  private static void send(ChannelHandlerContext context, FullHttpResponse response) {
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  /** The answer to a request in plaintext at a port that speaks TLS only. */
  static ByteBuf inPlaintext(String why) {
    byte[] body = (why + "\n").getBytes(StandardCharsets.US_ASCII);
    String head =
        String.format(
            Locale.ROOT,
            "HTTP/1.1 400 Bad Request\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n",
            HttpMessages.PLAIN,
            body.length);
    return Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), body);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = ConnectionErrors.rootOf(cause);
    if (root instanceof TooLongHttpContentException) {
      refuse(
          context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, String.valueOf(root.getMessage()));
    } else if (root instanceof SSLException) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, "TLS: " + root.getMessage());
    } else if (cause instanceof DecoderException) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, "not HTTP: " + root.getMessage());
    } else if (root instanceof IOException || root instanceof PrematureChannelClosureException) {
      LOG.debug("an HTTP connection of {} broke", context.channel().remoteAddress(), root);
      context.close();
    } else {
      LOG.error("an HTTP connection of {} failed", context.channel().remoteAddress(), cause);
      service.metrics().closed(ErrorCode.INTERNAL_ERROR);
      context.close();
    }
  }
}
