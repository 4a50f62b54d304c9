package io.canopygrid.server.endpoint;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Health and metrics. Each connection has one answer. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
final class HttpPages extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpPages.class);
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final Service service;

  HttpPages(Service service) {
    super(FullHttpRequest.class);
    this.service = service;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (!request.decoderResult().isSuccess()) {
      answer(context, HttpResponseStatus.BAD_REQUEST, PLAIN, "not HTTP\n");
      return;
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      answer(context, HttpResponseStatus.METHOD_NOT_ALLOWED, PLAIN, "only GET\n");
      return;
    }
    String uri = request.uri();
    int query = uri.indexOf('?');
    switch (query < 0 ? uri : uri.substring(0, query)) {
      case "/health/live" -> answer(context, HttpResponseStatus.OK, PLAIN, "live\n");
      case "/health/ready" -> ready(context);
      case "/metrics" -> metrics(context);
      default ->
          answer(
              context,
              HttpResponseStatus.NOT_FOUND,
              PLAIN,
              "there are /health/live, /health/ready and /metrics\n");
    }
  }

  private void ready(ChannelHandlerContext context) {
    if (service.draining().get()) {
      answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, PLAIN, "about to stop\n");
      return;
    }
    onWorker(
        context,
        () -> {
          boolean ready = service.node().isReady();
          HttpResponseStatus status =
              ready ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
          answer(context, status, PLAIN, ready ? "ready\n" : "taking over\n");
        });
  }

  private void metrics(ChannelHandlerContext context) {
    if (!service.metricsShown()) {
      answer(context, HttpResponseStatus.NOT_FOUND, PLAIN, "metrics are off (metrics.enabled)\n");
      return;
    }
    onWorker(
        context,
        () -> answer(context, HttpResponseStatus.OK, PROMETHEUS, service.metrics().text()));
  }

  private void onWorker(ChannelHandlerContext context, Runnable task) {
    if (!service.workers().submit(task)) {
      answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, PLAIN, "overloaded\n");
    }
  }

  private static void answer(
      ChannelHandlerContext context, HttpResponseStatus status, String type, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
    response.headers().set(HttpHeaderNames.CONNECTION, "close");
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("an HTTP connection of {} broke", context.channel().remoteAddress(), cause);
    context.close();
  }
}
