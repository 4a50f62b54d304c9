package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.http.Api;
import io.canopygrid.server.endpoint.http.ApiResponse;
import io.canopygrid.server.endpoint.http.ProblemAnswer;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP pages of a node that waits to be a member: it lives, and is not ready. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, too
final class WaitingPages extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingPages.class);

  private final WaitingNode node;
  private final Executor blocking;

  /**
   * For one connection.
   *
   * @param blocking runs what may take some seconds
   */
  WaitingPages(WaitingNode node, Executor blocking) {
    super(FullHttpRequest.class);
    this.node = node;
    this.blocking = blocking;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    String path = HttpMessages.path(request.uri());
    if (path.equals(RecoverPage.PATH)) {
      recover(context, request.retain());
      return;
    }
    if (path.startsWith(Api.PREFIX)) {
      ApiResponse answer = ProblemAnswer.of(503, ErrorCode.NOT_CONNECTED, node.why());
      context
          .writeAndFlush(HttpMessages.response(answer, true))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    if (path.equals(ServerPage.PATH)) {
      context
          .writeAndFlush(ServerPage.waiting(node.why()))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    boolean isLive = path.equals("/health/live");
    HttpResponseStatus status =
        isLive ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
    String text = isLive ? "live\n" : node.why() + "\n";
    context
        .writeAndFlush(HttpMessages.response(status, HttpMessages.PLAIN, text))
        .addListener(ChannelFutureListener.CLOSE);
  }

  /** Takes over the request. */
  private void recover(ChannelHandlerContext context, FullHttpRequest request) {
    blocking.execute(() -> {
      try {
        RecoverPage.Answer answer =
            RecoverPage.answer(context.channel(), request, node.disks(), node.isGuarded());
        context
            .writeAndFlush(HttpMessages.response(answer.status(), answer.type(), answer.text()))
            .addListener(ChannelFutureListener.CLOSE);
      } catch (RuntimeException e) {
        LOG.error("a question for lost disks of {} failed", context.channel().remoteAddress(), e);
        context.close();
      } finally {
        request.release();
      }
    });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("a connection of {} ends", context.channel().remoteAddress(), cause);
    context.close();
  }
}
