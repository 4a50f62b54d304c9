package io.canopygrid.server.endpoint.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The port for clients while its node waits to be a member: it answers the pages of health, and
 * tells clients why they are not served, so that they go elsewhere. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, too
public final class WaitingPort implements AutoCloseable {
  /** Connections beyond these are closed at once. */
  private static final int CONNECTIONS_MAX = 100;

  private static final int REQUEST_SECONDS_MAX = 10;

  /** Questions for lost disks beyond these close their connection. */
  private static final int QUESTIONS_MAX = 10;

  private static final int IDLE_SECONDS = 10;

  private final EventLoopGroup loop;
  private final Channel listening;
  private final ChannelGroup connections;
  private final ExecutorService blocking;

  private WaitingPort(
      EventLoopGroup loop, Channel listening, ChannelGroup connections, ExecutorService blocking) {
    this.loop = loop;
    this.listening = listening;
    this.connections = connections;
    this.blocking = blocking;
  }

  /**
   * Opens the port.
   *
   * @param port 0: any free one
   * @param tls the TLS settings, asked for at each connection; null: TLS is not spoken
   * @param node says why it is not a member yet
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}
   */
  public static WaitingPort open(
      String bindAddress, int port, @Nullable Supplier<SslContext> tls, WaitingNode node) {
    ExecutorService blocking = blocking();
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("canopy-waiting", true), NioIoHandler.newFactory());
    ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childHandler(new Connections(connections, tls, node, blocking))
            .bind(bindAddress, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      blocking.shutdown();
      throw new CanopyException(
          ErrorCode.PORT_IN_USE,
          "the port for clients " + bindAddress + ":" + port + " cannot be opened",
          bound.cause());
    }
    return new WaitingPort(loop, bound.channel(), connections, blocking);
  }

  private static ExecutorService blocking() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUESTIONS_MAX),
            new DefaultThreadFactory("canopy-recover", true));
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** The port's number. */
  public int number() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Gives the port free, and ends all connections. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    blocking.shutdown();
    loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Prepares each connection; used by all of them at once. */
  private static final class Connections extends ChannelInitializer<Channel> {
    private final ChannelGroup all;
    private final @Nullable Supplier<SslContext> tls;
    private final WaitingNode node;
    private final Executor blocking;

    Connections(
        ChannelGroup all, @Nullable Supplier<SslContext> tls, WaitingNode node, Executor blocking) {
      this.all = all;
      this.tls = tls;
      this.node = node;
      this.blocking = blocking;
    }

    @Override
    protected void initChannel(Channel channel) {
      all.add(channel);
      if (all.size() > CONNECTIONS_MAX) {
        channel.close();
        return;
      }
      channel
          .pipeline()
          .addLast(
              new ReadTimeoutHandler(REQUEST_SECONDS_MAX),
              new WaitingDetector(tls, node, blocking));
    }
  }
}
