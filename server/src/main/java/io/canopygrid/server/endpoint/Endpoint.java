package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.NodeWatch;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.config.Configuration;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.access.CertificateHolder;
import io.canopygrid.server.endpoint.access.UserDirectory;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.server.endpoint.catalog.ClientAddresses;
import io.canopygrid.server.endpoint.feed.FeedRequests;
import io.canopygrid.server.endpoint.http.Api;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.limits.WorkerPool;
import io.canopygrid.server.endpoint.metrics.EndpointMetrics;
import io.canopygrid.server.endpoint.netty.ListeningPort;
import io.canopygrid.server.endpoint.netty.Service;
import io.canopygrid.server.endpoint.traces.ServerSpans;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.server.endpoint.transaction.TransactionService;
import io.canopygrid.server.release.Release;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The port for clients of one node. Thread-safe. */
public final class Endpoint implements AutoCloseable {
  private static final long POLL_MILLIS = 20;

  /**
   * The time for which feeds are kept after clients were told to leave. A client that reads a feed
   * asks several times a second, and opens it elsewhere while its versions are still held here.
   */
  private static final long FEEDS_LEAVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Service service;
  private final ListeningPort port;
  private final String address;
  private final NodeWatch watch;

  private Endpoint(Service service, Settings settings, NodeWatch watch) {
    this.watch = watch;
    this.service = service;
    this.port =
        ListeningPort.open(service, settings.bindAddress(), settings.port(), settings.tls());
    this.address = settings.addressAt(port.number());
  }

  /**
   * The address and the way to listen.
   *
   * @param cluster the name of the cluster
   * @param bindAddress the local address
   * @param port 0: any free one
   * @param advertised where clients reach it, {@code host:port}; empty: the address and port
   * @param authentication how clients prove who they are
   * @param users the users of the cluster
   * @param tls the TLS settings, asked for at each connection; null: TLS is not spoken
   * @param transactions which transactions are logged
   * @param metricsShown whether {@code /metrics} answers
   * @param collector where spans go of transactions within traces; null: nowhere
   * @param configuration all settings of the server, without secrets
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
      boolean metricsShown,
      @Nullable URI collector,
      List<Configuration.Effective> configuration) {
    /** Creates settings with the default log of transactions, with metrics, without spans. */
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
          true,
          null,
          List.of());
    }

    private @Nullable ServerSpans spansOf(ServedNode node) {
      return collector == null
          ? null
          : new ServerSpans(
              new ServerSpans.Sender(collector, cluster, node.displayName(), Release.version()));
    }

    private String addressAt(int boundPort) {
      if (!advertised.isEmpty()) {
        return advertised;
      }
      String host = bindAddress.indexOf(':') >= 0 ? "[" + bindAddress + "]" : bindAddress;
      return host + ":" + boundPort;
    }
  }

  /**
   * Listens, and tells the grid the address.
   *
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}
   */
  public static Endpoint start(ServedNode node, Settings settings) {
    ServerSpans spans = settings.spansOf(node);
    TransactionService transactions =
        new TransactionService(
            node,
            settings.limits(),
            new TransactionLog(settings.transactions(), System::nanoTime),
            spans);
    WorkerPool workers = new WorkerPool(settings.limits());
    CertificateHolder certificate =
        settings.tls() instanceof CertificateHolder certified ? certified : null;
    FeedRequests feeds = new FeedRequests(node, transactions.draining()::get);
    EndpointMetrics metrics = new EndpointMetrics(transactions, feeds, workers, certificate);
    NodeWatch watch = node.watch(Release.version());
    try {
      LateAddress own = new LateAddress();
      ClientAddresses addresses = new ClientAddresses(node, own::get);
      AuditLog audit = AuditLog.of(settings.authentication());
      CatalogRequests catalog =
          new CatalogRequests(node, addresses, settings.users(), audit, transactions.jobs());
      boolean isShown = settings.metricsShown();
      Service service =
          new Service(
              transactions,
              settings.cluster(),
              workers,
              catalog,
              feeds,
              settings.authentication(),
              audit,
              metrics,
              isShown,
              new Api(transactions, catalog, metrics, isShown, audit, settings.configuration()),
              own::get);
      Endpoint endpoint = new Endpoint(service, settings, watch);
      own.address = endpoint.address();
      addresses.announce();
      return endpoint;
    } catch (RuntimeException e) {
      watch.close();
      workers.close();
      feeds.close();
      metrics.close();
      close(spans);
      throw e;
    }
  }

  /** The address, which is known when the port is open. */
  private static final class LateAddress {
    private volatile String address = "";

    String get() {
      return address;
    }
  }

  /** The address at which clients reach it, {@code host:port}. */
  public String address() {
    return address;
  }

  /** The routes of the HTTP API, each a method and the template of a path. */
  List<String> apiRoutes() {
    return service.api().routes();
  }

  /** The number of open connections. */
  public int connections() {
    return port.connections();
  }

  /**
   * Stops in order. The port accepts no more connections and transactions; transactions that are
   * open have some time to end, and clients to go on with their feeds elsewhere; then all
   * connections are closed. The node stays as it is.
   */
  @Override
  public void close() {
    if (!service.transactions().draining().compareAndSet(false, true)) {
      return;
    }
    port.stopListening();
    long graceMillis = service.transactions().limits().drainMillis();
    port.sendDrain(graceMillis);
    awaitClients(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis));
    port.sendGoodbye(ErrorCode.CANOPY_CLOSED, "the server stops");
    service.workers().close();
    service.feeds().close();
    port.shutDown();
    watch.close();
    service.metrics().close();
    close(service.transactions().spans());
  }

  private static void close(@Nullable ServerSpans spans) {
    if (spans != null) {
      spans.close();
    }
  }

  /** Whether a client has something here that it can end, or take elsewhere. */
  private boolean isBusy(long sinceNanos) {
    boolean areFeedsLeaving =
        service.feeds().open() > 0 && System.nanoTime() - sinceNanos < FEEDS_LEAVE_NANOS;
    return areFeedsLeaving || port.busyClients() > 0;
  }

  private void awaitClients(long deadlineNanos) {
    long sinceNanos = System.nanoTime();
    Object pause = new Object();
    while (isBusy(sinceNanos) && deadlineNanos - System.nanoTime() > 0) {
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
}
