package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.wire.client.Reply;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The port for clients of one node. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
public final class Endpoint implements AutoCloseable {
  private static final int WRITE_LOW_BYTES = 1 << 19;
  private static final int WRITE_HIGH_BYTES = 1 << 21;
  private static final int BACKLOG = 1_024;
  private static final long POLL_MILLIS = 20;

  private final Service service;
  private final EventLoopGroup loops;
  private final Channel listening;
  private final String address;
  private final Entrance entrance;

  private Endpoint(Service service, Settings settings, Supplier<String> host) {
    this.service = service;
    this.entrance = new Entrance(service, settings.tls());
    this.loops =
        new MultiThreadIoEventLoopGroup(
            0, new DefaultThreadFactory("canopy-clients", true), NioIoHandler.newFactory());
    this.listening = listen(settings);
    int port = ((InetSocketAddress) listening.localAddress()).getPort();
    this.address =
        settings.advertised().isEmpty() ? host.get() + ":" + port : settings.advertised();
  }

  /**
   * Where and how to listen.
   *
   * @param cluster the name of the cluster
   * @param bindAddress the local address
   * @param port 0: any free one
   * @param advertised where clients reach it, {@code host:port}; empty: the address and port
   * @param authentication how clients prove who they are
   * @param users those whom it knows
   * @param tls what to speak TLS with, asked for each connection; null: it is not spoken
   * @param transactions which transactions are logged
   * @param metricsShown whether {@code /metrics} answers
   */
  public record Settings(
      String cluster,
      String bindAddress,
      int port,
      String advertised,
      EndpointLimits limits,
      Authentication authentication,
      UserDirectory users,
      @Nullable Supplier<SslContext> tls,
      TransactionLog.Settings transactions,
      boolean metricsShown) {
    /** With the usual log of transactions, and metrics. */
    public Settings(
        String cluster,
        String bindAddress,
        int port,
        String advertised,
        EndpointLimits limits,
        Authentication authentication,
        UserDirectory users,
        @Nullable Supplier<SslContext> tls) {
      this(
          cluster,
          bindAddress,
          port,
          advertised,
          limits,
          authentication,
          users,
          tls,
          TransactionLog.Settings.DEFAULTS,
          true);
    }
  }

  /**
   * Listens, and tells the grid the address.
   *
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}
   */
  public static Endpoint start(ServedNode node, Settings settings) {
    EndpointLimits limits = settings.limits();
    Workers workers = new Workers(limits.workers(), limits.waitingMax());
    Starting starting = new Starting(node, settings, workers);
    return starting.start();
  }

  /** What has to be undone where the start fails. */
  private record Starting(ServedNode node, Settings settings, Workers workers) {
    Endpoint start() {
      TransactionLog log = new TransactionLog(settings.transactions(), System::nanoTime);
      EndpointMetrics metrics = new EndpointMetrics(node, workers, settings, log);
      try {
        LateAddress own = new LateAddress();
        Addresses addresses = new Addresses(node, own::get);
        Service service =
            new Service(
                node,
                settings.cluster(),
                settings.limits(),
                workers,
                new CatalogRequests(node, addresses, settings.users()),
                settings.authentication(),
                metrics,
                log,
                settings.metricsShown(),
                new AtomicBoolean());
        Endpoint endpoint = new Endpoint(service, settings, () -> hostOf(settings));
        own.address = endpoint.address();
        addresses.announce();
        return endpoint;
      } catch (RuntimeException e) {
        workers.close();
        metrics.close();
        throw e;
      }
    }

    private static String hostOf(Settings settings) {
      String host = settings.bindAddress();
      return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }
  }

  /** The address, which is known when the port is open. */
  private static final class LateAddress {
    private volatile String address = "";

    String get() {
      return address;
    }
  }

  private Channel listen(Settings settings) {
    ServerBootstrap bootstrap =
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
            .childHandler(entrance);
    var bound = bootstrap.bind(settings.bindAddress(), settings.port()).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new CanopyException(
          ErrorCode.PORT_IN_USE,
          "the port for clients "
              + settings.bindAddress()
              + ":"
              + settings.port()
              + " cannot be opened: "
              + bound.cause().getMessage(),
          bound.cause());
    }
    return bound.channel();
  }

  /** Where clients reach it, {@code host:port}. */
  public String address() {
    return address;
  }

  /** How many connections there are. */
  public int connections() {
    return entrance.connections().size();
  }

  /**
   * Stops in order: no new connections and transactions; those that are open have some time to end;
   * then all connections are closed. The node stays as it is.
   */
  @Override
  public void close() {
    if (!service.draining().compareAndSet(false, true)) {
      return;
    }
    listening.close().awaitUninterruptibly();
    long graceMillis = service.limits().drainMillis();
    forEachClient(client -> client.write(0, new Reply.Drain(graceMillis)));
    awaitTransactions(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis));
    forEachClient(client -> client.goodbye(ErrorCode.CANOPY_CLOSED, "the server stops"));
    service.workers().close();
    entrance.connections().forEach(Channel::close);
    loops.shutdownGracefully(50, 2_000, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    service.metrics().close();
  }

  private void awaitTransactions(long deadlineNanos) {
    Object pause = new Object();
    while (busyClients() > 0 && deadlineNanos - System.nanoTime() > 0) {
      synchronized (pause) {
        try {
          pause.wait(POLL_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private int busyClients() {
    AtomicInteger open = new AtomicInteger();
    forEachClient(client -> open.addAndGet(client.isBusy() ? 1 : 0));
    return open.get();
  }

  private void forEachClient(java.util.function.Consumer<ClientConnection> action) {
    for (Channel channel : entrance.connections()) {
      channel
          .eventLoop()
          .submit(() -> {
            ClientConnection client = channel.pipeline().get(ClientConnection.class);
            if (client != null) {
              action.accept(client);
            }
          })
          .awaitUninterruptibly();
    }
  }
}
