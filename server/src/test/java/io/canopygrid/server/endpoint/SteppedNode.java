package io.canopygrid.server.endpoint;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.security.ScramAuthentication;
import io.canopygrid.server.security.Users;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A lone node and the ways into it, with workers that the test's thread steps. */
final class SteppedNode implements AutoCloseable {
  /** Short, so that all of them are met. */
  static final EndpointLimits LIMITS =
      EndpointLimits.DEFAULTS
          .withTimes(3_000, 10_000, 5_000, 1_000)
          .withPerConnection(8, 3, 2, 1_000);

  /** A function that is there. */
  static final String FUNCTION = "count";

  private final EmbeddedCanopy canopy = EmbeddedCanopy.start();
  private final ServedNode node = canopy.served();
  private final int index = node.open("things", "int32", "bytes", IndexOptions.DEFAULTS).number();
  private final SteppedPool pool = new SteppedPool();
  private final Workers workers = new Workers(pool);
  private final Users users = new Users(node);
  private final TransactionLog log =
      new TransactionLog(TransactionLog.Settings.DEFAULTS, System::nanoTime);
  private final EndpointMetrics metrics = new EndpointMetrics(node, workers, settings(), log);
  private final Map<Way, Entrance> entrances = new EnumMap<>(Way.class);

  /** How one may come in. */
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
    Service open = service(Authentication.NONE);
    entrances.put(Way.OPEN, new Entrance(open, null));
    entrances.put(Way.GUARDED, new Entrance(service(new ScramAuthentication(users)), null));
    entrances.put(Way.TLS, new Entrance(open, tls));
  }

  private Endpoint.Settings settings() {
    return new Endpoint.Settings(
        "fuzz", "127.0.0.1", 1, "", LIMITS, Authentication.NONE, users, null);
  }

  private Service service(Authentication authentication) {
    return new Service(
        node,
        "fuzz",
        LIMITS,
        workers,
        new CatalogRequests(node, new Addresses(node, () -> "127.0.0.1:1"), users),
        authentication,
        metrics,
        log,
        true,
        new AtomicBoolean());
  }

  /** The number of the index that is there. */
  int index() {
    return index;
  }

  SteppedPool pool() {
    return pool;
  }

  Entrance entrance(Way way) {
    return Objects.requireNonNull(entrances.get(way));
  }

  /** A new connection, whose clock stands still until the test moves it. */
  EmbeddedChannel connect(Way way, ByteBufAllocator buffers) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    channel.config().setAllocator(buffers);
    channel.pipeline().addLast(entrance(way));
    return channel;
  }

  /** The metrics in Prometheus' text. */
  String metrics() {
    return metrics.text();
  }

  /** How many transactions are open at the node. */
  int transactions() {
    return metrics.transactions().get();
  }

  /** What open transactions have written. */
  long stagedBytes() {
    return metrics.staged().held();
  }

  /** How many connections are open by any count. */
  int connections() {
    return metrics.connections().get()
        + entrances.values().stream().mapToInt(entrance -> entrance.connections().size()).sum();
  }

  @Override
  public void close() {
    metrics.close();
    pool.shutdownNow();
    canopy.close();
  }
}
