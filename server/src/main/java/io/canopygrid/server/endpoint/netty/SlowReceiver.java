package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.netty.channel.ChannelHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes connections that do not take their answers of HTTP. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class SlowReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(SlowReceiver.class);

  private SlowReceiver() {}

  static void close(ChannelHandlerContext context, Service service) {
    LOG.warn(
        "{} closes the connection of {}: it does not take its answer",
        ErrorCode.OVERLOADED,
        context.channel().remoteAddress());
    service.metrics().closed(ErrorCode.OVERLOADED);
    context.close();
  }
}
