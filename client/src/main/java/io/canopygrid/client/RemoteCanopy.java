package io.canopygrid.client;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.client.server.ClusterView;
import io.canopygrid.runtime.EngineCanopy;
import io.canopygrid.transaction.Session;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.util.Optional;

/**
 * {@link Canopy} over the network: the same interface, errors and guarantees as in the cluster. The
 * handle has one connection to each server that it needs, on which any number of transactions are
 * under way at once, and asks the server that has a key directly. Thread-safe.
 *
 * <pre>{@code
 * try (Canopy db = RemoteCanopy.connect("canopy://vm1:11444,vm2:11444")) {
 *   Index<Long, String> names = db.index("names", Codec.int64(), Codec.string());
 *   db.run(tx -> tx.on(names).put(1L, "Ada"));
 * }
 * }</pre>
 */
public final class RemoteCanopy extends EngineCanopy {
  private final RemoteEngine engine;

  private RemoteCanopy(RemoteEngine engine, Session session) {
    super(engine, session);
    this.engine = engine;
  }

  /**
   * Connects to a cluster.
   *
   * @param uri {@code canopy://host:port,host:port}; {@code canopys://} for TLS; {@code
   *     user:password@} in front of the hosts where the servers want to know. A port that is left
   *     out is 11444. One of the servers is enough to find the others
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} for the URI; {@link
   *     ErrorCode#NOT_CONNECTED} where no server can be reached, with the reason for each; {@link
   *     ErrorCode#UNAUTHENTICATED}
   */
  public static RemoteCanopy connect(String uri) {
    return connect(uri, ClientOptions.DEFAULTS);
  }

  /** Connects with options; user, password and TLS of the URI win over theirs. */
  public static RemoteCanopy connect(String uri, ClientOptions options) {
    ServerUri servers = ServerUri.parse(uri);
    if (options == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the options are null");
    }
    ClientOptions all = options;
    if (servers.tls()) {
      all = all.withTls(all.trust());
    }
    if (servers.user() != null) {
      all = all.as(servers.user(), servers.password() == null ? "" : servers.password());
    }
    Session session = new Session();
    ClusterView cluster =
        ClusterView.connect(servers.servers(), all.toSettings(), all.outcomePatience(), session);
    return new RemoteCanopy(new RemoteEngine(cluster), session);
  }

  /**
   * The members of the cluster.
   *
   * @throws CanopyException as {@link Canopy}'s methods
   */
  public Reply.Cluster cluster() {
    return engine.ask(new Request.AskCluster(), Reply.Cluster.class);
  }

  /** The state of the grid as the server that is asked sees it now. */
  public Reply.Status status() {
    return engine.ask(new Request.AskStatus(), Reply.Status.class);
  }

  /**
   * The places where the nodes keep their data, of those that answer the server that is asked.
   *
   * @return empty: that server is of an older release, which does not tell
   */
  public Optional<Reply.Disks> disks() {
    return engine.askIfAble(WireLimits.FEATURE_DISKS, new Request.AskDisks(), Reply.Disks.class);
  }

  /**
   * The zones of the nodes, as far as the server that is asked knows them.
   *
   * @return empty: that server is of an older release, which does not tell
   */
  public Optional<Reply.Zones> zones() {
    return engine.askIfAble(WireLimits.FEATURE_ZONES, new Request.AskZones(), Reply.Zones.class);
  }

  /**
   * The entries of an index that are read most, and where copies of them are, at the nodes that
   * answer the server that is asked.
   *
   * @param index its number ({@link #describe})
   * @return empty: that server is of an older release, which does not tell
   */
  public Optional<Reply.HotEntries> hotEntries(int index) {
    return engine.askIfAble(
        WireLimits.FEATURE_HOT, new Request.AskHotEntries(index), Reply.HotEntries.class);
  }

  /**
   * The things that take long in the cluster: jobs of clients, and what holds the horizon back.
   *
   * @return empty: the server that is asked is of an older release, which does not tell
   */
  public Optional<Reply.Work> work() {
    return engine.askIfAble(WireLimits.FEATURE_WORK, new Request.AskWork(), Reply.Work.class);
  }

  /**
   * Tells a node to leave the grid for good, and waits a second or so for it to hand over what it
   * has; to be called until it returns true. Only for administrators.
   *
   * @param node its id or its name
   * @param address where its server is, {@code host:port}
   * @param abandons whether it leaves whatever is lost
   * @return whether it can be done without, and leaves now
   * @throws CanopyException {@link ErrorCode#LEAVE_REFUSED} where it stays
   */
  public boolean leave(String node, String address, boolean abandons) {
    return engine
            .askAt(
                address,
                WireLimits.FEATURE_LEAVE,
                new Request.Leave(node, abandons),
                Reply.Count.class)
            .count()
        > 0;
  }

  /** The counts of the node of the server that is asked. */
  public Reply.Stats serverStats() {
    return engine.ask(new Request.AskStats(), Reply.Stats.class);
  }

  /**
   * The counts of the node of a server.
   *
   * @param address where it is, {@code host:port}
   */
  public Reply.Stats serverStats(String address) {
    return engine.askAt(address, 0, new Request.AskStats(), Reply.Stats.class);
  }

  /** All users. Only for administrators, as are the next two. */
  public Reply.Users users() {
    return engine.ask(new Request.ListUsers(), Reply.Users.class);
  }

  /** Adds or changes a user. */
  public void putUser(Request.PutUser user) {
    engine.ask(user, Reply.Done.class);
  }

  /**
   * Removes a user; whether there was one. Connections that they have stay, but after a few seconds
   * they may do nothing any more.
   */
  public boolean removeUser(String name) {
    return engine.ask(new Request.RemoveUser(name), Reply.Count.class).count() > 0;
  }

  /**
   * An index as it is, without knowing its codecs.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public Reply.IndexOpened describe(String index) {
    return engine.describe(index);
  }

  /** All indexes as they are, without knowing their codecs: those of tables, too. */
  public Reply.Indexes catalog() {
    return engine.ask(new Request.ListIndexes(), Reply.Indexes.class);
  }

  /**
   * An index that exists, or was dropped and is in a named snapshot still. It is not created.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, {@link ErrorCode#CODEC_MISMATCH}
   */
  public <K, V> Index<K, V> existing(String name, Codec<K> keys, Codec<V> values) {
    return find(name, keys, values);
  }

  /**
   * Creates an index, also one that a table is made of, for restores. Does nothing where there is
   * one of this name and these codecs.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_MISMATCH}
   */
  public void create(String name, String keyCodec, String valueCodec, int subtreeEntriesMax) {
    engine.ask(
        new Request.OpenIndex(name, keyCodec, valueCodec, true, subtreeEntriesMax),
        Reply.IndexOpened.class);
  }

  /** The places of the keys of an index, by its number ({@link #describe}). */
  public Reply.Routes routes(int index) {
    return engine.ask(new Request.AskRoutes(index, 0), Reply.Routes.class);
  }
}
