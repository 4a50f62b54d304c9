package io.canopygrid.client.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.resolver.DefaultNameResolver;
import io.netty.resolver.NameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Opens connections, all with the same few threads. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // what runs later reports by itself
public final class Connector implements AutoCloseable {
  private static final int THREADS = 2;
  private static final int FLUSHES_TOGETHER_MAX = 64;

  private final ConnectSettings options;
  private final UUID client;
  private final EventLoopGroup threads;
  private final @Nullable SslContext tls;
  private final Function<EventExecutor, NameResolver<InetAddress>> resolvers;

  /**
   * Creates a connector with no connection yet.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} where the certificates cannot be used
   */
  public Connector(ConnectSettings options, UUID client) {
    this(options, client, DefaultNameResolver::new);
  }

  /**
   * The same with other names.
   *
   * @param resolvers finds the addresses of a name
   */
  Connector(
      ConnectSettings options,
      UUID client,
      Function<EventExecutor, NameResolver<InetAddress>> resolvers) {
    this.resolvers = resolvers;
    this.options = options;
    this.client = client;
    this.tls = options.tls() ? tls(options) : null;
    this.threads = EventLoops.start(THREADS);
  }

  private static SslContext tls(ConnectSettings options) {
    try {
      SslContextBuilder builder = SslContextBuilder.forClient();
      if (options.trust() != null) {
        builder.trustManager(options.trust().toFile());
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "the certificates in " + options.trust() + " cannot be used: " + e.getMessage(),
          e);
    }
  }

  /**
   * Opens a connection; the future fails with {@link LostConnectionException} only.
   *
   * @param grid of which the server has to be, or it refuses; null: whichever it is of
   */
  public CompletableFuture<Connection> open(String host, int port, @Nullable GridId grid) {
    String address = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    CompletableFuture<Connection> opened = new CompletableFuture<>();
    Bootstrap attempt =
        new Bootstrap()
            .group(threads)
            .channelFactory(OpenSocket::new)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (tls != null) {
                      channel.pipeline().addLast(tls.newHandler(channel.alloc(), host, port));
                    }
                    // One for each address that is tried: a handshake is of one channel.
                    Handshake handshake = new Handshake(address, client, grid, options, opened);
                    channel
                        .pipeline()
                        .addLast(new FlushConsolidationHandler(FLUSHES_TOGETHER_MAX, true))
                        .addLast(new FrameDecoder())
                        .addLast(new Greeting(handshake, tls != null))
                        .addLast(handshake);
                  }
                });
    EventLoop thread = threads.next();
    resolvers
        .apply(thread)
        .resolveAll(host)
        .addListener((Future<List<InetAddress>> found) -> {
          if (found.isSuccess()) {
            connect(attempt, found.getNow(), 0, port, opened);
          } else {
            failed(opened, ClosingErrors.words(found.cause()));
          }
        });
    thread.schedule(
        () -> failed(opened, "no answer within " + options.connectMillis() + " ms"),
        options.connectMillis(),
        TimeUnit.MILLISECONDS);
    return opened;
  }

  /** Tries the addresses of a name from this one on; all have the same share of the time. */
  private void connect(
      Bootstrap attempt,
      List<InetAddress> addresses,
      int next,
      int port,
      CompletableFuture<Connection> opened) {
    if (opened.isDone()) {
      return;
    }
    int millis = Math.max(1, options.connectMillis() / addresses.size());
    ChannelFuture connecting =
        attempt
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, millis)
            .connect(new InetSocketAddress(addresses.get(next), port));
    connecting.addListener(done -> {
      if (done.isSuccess()) {
        // The time can be over, or end during the handshake.
        opened.whenComplete((connection, failure) -> {
          if (failure != null) {
            connecting.channel().close();
          }
        });
      } else if (next + 1 < addresses.size()) {
        connect(attempt, addresses, next + 1, port, opened);
      } else {
        failed(opened, ClosingErrors.words(connecting.cause()));
      }
    });
  }

  private static void failed(CompletableFuture<Connection> opened, String why) {
    opened.completeExceptionally(new LostConnectionException(ErrorCode.NOT_CONNECTED, why, false));
  }

  /** Runs something on one of the threads, later; it must not block. */
  public void later(Runnable task, long millis) {
    threads.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** Begins the handshake when the channel is open, with TLS: when it is safe. */
  private static final class Greeting extends ChannelInboundHandlerAdapter {
    private final Handshake handshake;
    private final boolean tls;

    Greeting(Handshake handshake, boolean tls) {
      this.handshake = handshake;
      this.tls = tls;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      context.fireChannelActive();
      if (!tls) {
        begin(context);
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof SslHandshakeCompletionEvent done) {
        if (done.isSuccess()) {
          begin(context);
        } else {
          context.fireExceptionCaught(done.cause());
        }
      }
      context.fireUserEventTriggered(event);
    }

    private void begin(ChannelHandlerContext context) {
      handshake.begin(context.pipeline().context(handshake));
    }
  }
}
