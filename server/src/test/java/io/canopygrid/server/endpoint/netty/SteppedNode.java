package io.canopygrid.server.endpoint.netty;

import io.canopygrid.Codec;
import io.canopygrid.GridId;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.server.endpoint.catalog.ClientAddresses;
import io.canopygrid.server.endpoint.feed.FeedRequests;
import io.canopygrid.server.endpoint.http.Api;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.limits.SteppedPool;
import io.canopygrid.server.endpoint.limits.WorkerPool;
import io.canopygrid.server.endpoint.metrics.EndpointMetrics;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.server.endpoint.transaction.TransactionService;
import io.canopygrid.server.security.ScramAuthentication;
import io.canopygrid.server.security.Users;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** A lone node with its accept filters, and workers that the test's thread steps. */
final class SteppedNode implements AutoCloseable {
  /** Small limits, so that tests reach all of them. */
  static final EndpointLimits LIMITS =
      EndpointLimits.builder()
          .helloMillis(3_000)
          .idleMillis(10_000)
          .slowMillis(5_000)
          .drainMillis(1_000)
          .requestsMax(8)
          .transactionsMax(3)
          .cursorsMax(2)
          .transactionBytesMax(1_000)
          .build();

  /** The indexes that are probed, in as many shards. */
  private static final int PROBED = 40;

  /** A function that is there. */
  static final String FUNCTION = "count";

  private final EmbeddedCanopy canopy = EmbeddedCanopy.start();
  private final ServedNode node = canopy.served();
  private final int index = node.open("things", "int32", "bytes", IndexOptions.DEFAULTS).number();
  private final SteppedPool pool = new SteppedPool();
  private final WorkerPool workers = pool.workers();
  private final Users users = new Users(node);
  private final TransactionService transactions =
      new TransactionService(
          node,
          LIMITS,
          new TransactionLog(TransactionLog.Settings.DEFAULTS, System::nanoTime),
          null);
  private final FeedRequests feeds = new FeedRequests(node, () -> false);
  private final EndpointMetrics metrics = new EndpointMetrics(transactions, feeds, workers, null);
  private final Map<Way, AcceptFilter> acceptFilters = new EnumMap<>(Way.class);
  private final List<Index<Integer, byte[]>> probed = new ArrayList<>();

  /** The way in which a client connects. */
  enum Way {
    OPEN,
    GUARDED,
    TLS
  }

  SteppedNode(Supplier<SslContext> tls) {
    Index<Integer, byte[]> things = canopy.index("things", Codec.int32(), Codec.bytes());
    canopy.register(
        FUNCTION,
        (tx, key) -> {
          tx.on(things).put(Codec.int32().decode(key), key);
          return Codec.int64().encode(tx.on(things).count(Range.all()));
        });
    for (int i = 0; i < PROBED; i++) {
      probed.add(canopy.index("probed" + i, Codec.int32(), Codec.bytes()));
    }
    probe();
    Service open = service(Authentication.NONE);
    acceptFilters.put(Way.OPEN, new AcceptFilter(open, null));
    acceptFilters.put(Way.GUARDED, new AcceptFilter(service(new ScramAuthentication(users)), null));
    acceptFilters.put(Way.TLS, new AcceptFilter(open, tls));
  }

  private Service service(Authentication authentication) {
    AuditLog audit = AuditLog.of(authentication);
    CatalogRequests catalog =
        new CatalogRequests(
            node,
            new ClientAddresses(node, () -> "127.0.0.1:1"),
            users,
            audit,
            transactions.jobs());
    return new Service(
        transactions,
        "fuzz",
        workers,
        catalog,
        feeds,
        authentication,
        audit,
        metrics,
        true,
        new Api(transactions, catalog, metrics, true, audit, List.of()),
        () -> "127.0.0.1:1");
  }

  /** The number of the index that is there. */
  int index() {
    return index;
  }

  GridId grid() {
    return canopy.grid().id();
  }

  /** A clock of this grid. */
  VectorClock seen() {
    return canopy.token().clock();
  }

  /**
   * Reads and writes in many shards, in one transaction that must commit at its first attempt.
   * Inputs may write there, too.
   */
  void probe() {
    canopy.run(
        TransactionOptions.labelled("probe").withMaxAttempts(1),
        tx -> {
          for (Index<Integer, byte[]> index : probed) {
            var unused = tx.on(index).get(1);
            tx.on(index).put(1, new byte[8]);
          }
        });
  }

  SteppedPool pool() {
    return pool;
  }

  AcceptFilter acceptFilter(Way way) {
    return Objects.requireNonNull(acceptFilters.get(way));
  }

  /** A new connection, whose clock stands still until the test moves it. */
  EmbeddedChannel connect(Way way, ByteBufAllocator buffers) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    channel.config().setAllocator(buffers);
    channel.pipeline().addLast(acceptFilter(way));
    return channel;
  }

  /** The metrics in Prometheus' text. */
  String metrics() {
    return metrics.text(MetricsFormat.PROMETHEUS);
  }

  /** The number of transactions that are open at the node. */
  int transactions() {
    return transactions.open().get();
  }

  /** The bytes that open transactions have written. */
  long stagedBytes() {
    return transactions.staged().held();
  }

  /** The number of connections that are open by any count. */
  int connections() {
    return metrics.connections().get()
        + acceptFilters.values().stream()
            .mapToInt(acceptFilter -> acceptFilter.connections().size())
            .sum();
  }

  @Override
  public void close() {
    metrics.close();
    pool.shutdownNow();
    canopy.close();
  }
}
