package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes connections that do not take their answers of HTTP. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class SlowReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(SlowReceiver.class);

  private SlowReceiver() {}

  /** Closes a connection that has not taken its answer in time, unless that is cancelled before. */
  static ScheduledFuture<?> closeLater(ChannelHandlerContext context, Service service) {
    return context
        .executor()
        .schedule(
            () -> close(context, service), service.limits().slowMillis(), TimeUnit.MILLISECONDS);
  }

  static void close(ChannelHandlerContext context, Service service) {
    LOG.warn(
        "{} closes the connection of {}: it does not take its answer",
        ErrorCode.OVERLOADED,
        context.channel().remoteAddress());
    service.metrics().closed(ErrorCode.OVERLOADED);
    context.close();
  }
}
