package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections, as many as the limits allow, and refuses the others. Thread-safe. */
final class AcceptFilter extends ChannelInitializer<Channel> {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptFilter.class);

  /** The most connections that are being told at the same time that they are refused. */
  private static final int REFUSED_MAX = 64;

  private final Service service;
  private final @Nullable Supplier<SslContext> tls;
  private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();

  /**
   * Creates the filter with no connection yet.
   *
   * @param tls the TLS settings, asked for at each connection; null: TLS is not spoken
   */
  AcceptFilter(Service service, @Nullable Supplier<SslContext> tls) {
    this.service = service;
    this.tls = tls;
  }

  /** The connections that are open. */
  Set<Channel> connections() {
    return connections;
  }

  @Override
  protected void initChannel(Channel channel) {
    int open = connections.size();
    if (open >= service.limits().connectionsMax()) {
      refuse(channel, "the server has " + open + " connections, no more are taken");
      return;
    }
    connections.add(channel);
    channel.closeFuture().addListener(closed -> connections.remove(channel));
    channel
        .pipeline()
        .addLast(ProtocolDetector.DEADLINE, new ProtocolDeadline(service, tls != null))
        .addLast(new ProtocolDetector(service, tls));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
  private void refuse(Channel channel, String why) {
    LOG.warn("{} refuses {}: {}", ErrorCode.OVERLOADED, channel.remoteAddress(), why);
    service.metrics().closed(ErrorCode.OVERLOADED);
    if (tls != null || refused.incrementAndGet() > REFUSED_MAX) {
      channel.close();
    } else {
      channel.pipeline().addLast(new Broken());
      LingeringClose.begin(channel, ErrorCode.OVERLOADED, why);
    }
    if (tls == null) {
      channel.closeFuture().addListener(closed -> refused.decrementAndGet());
    }
  }

  /** Closes a connection that breaks while it is being refused. */
  @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
  private static final class Broken extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      LOG.debug("the connection of {} broke", context.channel().remoteAddress(), cause);
      context.close();
    }
  }
}
