package io.canopygrid.server.endpoint;

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

/** Lets connections in, as many as there may be. Thread-safe. */
final class Entrance extends ChannelInitializer<Channel> {
  private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);

  /** How many of those that are one too many may be told so at the same time. */
  private static final int REFUSED_MAX = 64;

  private final Service service;
  private final @Nullable Supplier<SslContext> tls;
  private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();

  /**
   * With no connection yet.
   *
   * @param tls what to speak TLS with, asked for each connection; null: it is not spoken
   */
  Entrance(Service service, @Nullable Supplier<SslContext> tls) {
    this.service = service;
    this.tls = tls;
  }

  /** Those that are open. */
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
        .addLast(FirstBytes.DEADLINE, new FirstWordDeadline(service, tls != null))
        .addLast(new FirstBytes(service, tls));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
  private void refuse(Channel channel, String why) {
    LOG.warn("{} refuses {}: {}", ErrorCode.OVERLOADED, channel.remoteAddress(), why);
    service.metrics().closed(ErrorCode.OVERLOADED);
    if (tls != null || refused.incrementAndGet() > REFUSED_MAX) {
      channel.close();
    } else {
      channel.pipeline().addLast(new Broken());
      Farewell.say(channel, ErrorCode.OVERLOADED, why);
    }
    if (tls == null) {
      channel.closeFuture().addListener(closed -> refused.decrementAndGet());
    }
  }

  /** A connection that is being refused broke; that is its end. */
  @SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
  private static final class Broken extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      LOG.debug("the connection of {} broke", context.channel().remoteAddress(), cause);
      context.close();
    }
  }
}
