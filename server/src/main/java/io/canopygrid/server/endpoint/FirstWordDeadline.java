package io.canopygrid.server.endpoint;

import io.canopygrid.ErrorCode;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a connection that has not said in time what it speaks, however many bytes of it trickle in;
 * removed as soon as it has.
 */
final class FirstWordDeadline extends ChannelHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(FirstWordDeadline.class);

  private final Service service;
  private final boolean tls;
  private @Nullable ScheduledFuture<?> deadline;

  /**
   * For one connection.
   *
   * @param tls whether the port speaks TLS, so that words in plaintext would not be understood
   */
  FirstWordDeadline(Service service, boolean tls) {
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

  @SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
  private void over(ChannelHandlerContext context) {
    LOG.warn(
        "{} closes the connection of {}: it has said nothing in time",
        ErrorCode.UNAUTHENTICATED,
        context.channel().remoteAddress());
    service.metrics().closed(ErrorCode.UNAUTHENTICATED);
    if (tls) {
      context.channel().close();
    } else {
      Farewell.say(
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
