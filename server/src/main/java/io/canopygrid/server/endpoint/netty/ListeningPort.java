package io.canopygrid.server.endpoint.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.Reply;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The listening socket, its event loops and the connections that it has accepted. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
public final class ListeningPort {
  private static final int WRITE_LOW_BYTES = 1 << 19;
  private static final int WRITE_HIGH_BYTES = 1 << 21;
  private static final int BACKLOG = 1_024;

  private final EventLoopGroup loops;
  private final AcceptFilter accepted;
  private final Channel listening;

  private ListeningPort(EventLoopGroup loops, AcceptFilter accepted, Channel listening) {
    this.loops = loops;
    this.accepted = accepted;
    this.listening = listening;
  }

  /**
   * Opens a port.
   *
   * @param port 0: any free one
   * @param tls the TLS settings, asked for at each connection; null: TLS is not spoken
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}
   */
  public static ListeningPort open(
      Service service, String bindAddress, int port, @Nullable Supplier<SslContext> tls) {
    AcceptFilter accepted = new AcceptFilter(service, tls);
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            0, new DefaultThreadFactory("canopy-clients", true), NioIoHandler.newFactory());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(WRITE_LOW_BYTES, WRITE_HIGH_BYTES))
            .childHandler(accepted)
            .bind(bindAddress, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new CanopyException(
          ErrorCode.PORT_IN_USE,
          "the port for clients "
              + bindAddress
              + ":"
              + port
              + " cannot be opened: "
              + bound.cause().getMessage(),
          bound.cause());
    }
    return new ListeningPort(loops, accepted, bound.channel());
  }

  /** The port's number. */
  public int number() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** The number of open connections. */
  public int connections() {
    return accepted.connections().size();
  }

  /** Accepts no more connections. */
  public void stopListening() {
    listening.close().awaitUninterruptibly();
  }

  /** Tells all clients that the server stops, and how long it waits for their transactions. */
  public void sendDrain(long graceMillis) {
    forEach(ClientConnection.class, client -> client.write(0, new Reply.Drain(graceMillis)));
  }

  /** The number of clients that have an open transaction or a request under way. */
  public int busyClients() {
    AtomicInteger busy = new AtomicInteger();
    forEach(ClientConnection.class, client -> busy.addAndGet(client.isBusy() ? 1 : 0));
    forEach(ApiConnection.class, client -> busy.addAndGet(client.isBusy() ? 1 : 0));
    return busy.get();
  }

  /** Closes the connections of all clients, for a reason that they are told. */
  public void sendGoodbye(ErrorCode code, String why) {
    forEach(ClientConnection.class, client -> client.goodbye(code, why));
  }

  /** Closes all connections at once, and ends the event loops. */
  public void shutDown() {
    accepted.connections().forEach(Channel::close);
    loops.shutdownGracefully(50, 2_000, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }

  private <H extends ChannelHandler> void forEach(Class<H> type, Consumer<H> action) {
    for (Channel channel : accepted.connections()) {
      channel
          .eventLoop()
          .submit(() -> {
            H client = channel.pipeline().get(type);
            if (client != null) {
              action.accept(client);
            }
          })
          .awaitUninterruptibly();
    }
  }
}
