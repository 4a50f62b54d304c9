package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose protocol is not known in time, however many bytes trickle in. The
 * handler is removed as soon as the protocol is known.
 */
final class ProtocolDeadline extends ChannelHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ProtocolDeadline.class);

  private final Service service;
  private final boolean tls;
  private @Nullable ScheduledFuture<?> deadline;

  /**
   * A deadline for one connection.
   *
   * @param tls whether the port speaks TLS, so that a goodbye in plaintext would not be understood
   */
  ProtocolDeadline(Service service, boolean tls) {
    this.service = service;
    this.tls = tls;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    deadline =
        context
            .executor()
            .schedule(() -> over(context), service.limits().helloMillis(), TimeUnit.MILLISECONDS);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
  private void over(ChannelHandlerContext context) {
    LOG.warn(
        "{} closes the connection of {}: it has said nothing in time",
        ErrorCode.UNAUTHENTICATED,
        context.channel().remoteAddress());
    service.metrics().closed(ErrorCode.UNAUTHENTICATED);
    if (tls) {
      context.channel().close();
    } else {
      LingeringClose.begin(
          context.channel(), ErrorCode.UNAUTHENTICATED, "the client has said nothing in time");
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }
}
