package io.canopygrid.server.endpoint.netty;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP pages of a node that waits to be a member: it lives, and is not ready. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, too
final class WaitingPages extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingPages.class);

  private final Supplier<String> why;

  WaitingPages(Supplier<String> why) {
    super(FullHttpRequest.class);
    this.why = why;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    boolean isLive = HttpPages.path(request.uri()).equals("/health/live");
    HttpResponseStatus status =
        isLive ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
    String text = isLive ? "live\n" : why.get() + "\n";
    context
        .writeAndFlush(HttpPages.response(status, HttpPages.PLAIN, text))
        .addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("a connection of {} ends", context.channel().remoteAddress(), cause);
    context.close();
  }
}
