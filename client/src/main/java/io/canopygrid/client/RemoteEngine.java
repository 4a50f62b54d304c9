package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.Connector;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.Pace;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions at servers. Thread-safe. */
final class RemoteEngine implements Engine {
  /** How long what is no transaction may take. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How long after an answer "moved" routes are asked for: many come at once. */
  private static final long REFRESH_MILLIS = 20;

  private static final long ROUTES_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final Backoff AGAIN = new Backoff(5_000_000, 500_000_000);

  private static final Logger LOG = LoggerFactory.getLogger(RemoteEngine.class);

  private final Connector connector;
  private final Servers servers;
  private final CommitNames names;
  private final ClientOptions options;
  private final String identity;
  private final KnownSnapshots knownSnapshots = new KnownSnapshots(this);

  private RemoteEngine(
      Connector connector, List<ServerAddress> seeds, ClientOptions options, UUID client) {
    this.connector = connector;
    this.options = options;
    this.servers = new Servers(connector, seeds);
    this.names = new CommitNames(client);
    this.identity = client.toString().substring(0, 8);
  }

  /** Connected to at least one server. */
  static RemoteEngine connect(List<ServerAddress> seeds, ClientOptions options) {
    UUID client = UUID.randomUUID();
    Connector connector = new Connector(options.toSettings(), client);
    RemoteEngine engine = new RemoteEngine(connector, seeds, options, client);
    try {
      long each = options.connectTimeout().toNanos();
      Connection first = engine.servers.to("", System.nanoTime() + each * seeds.size() + each);
      Exchange.await(first.ask(new Request.AskCluster()), deadline());
      return engine;
    } catch (CanopyException e) {
      connector.close();
      throw e;
    } catch (LostConnectionException e) {
      engine.close();
      throw Exchange.lost(e, null);
    }
  }

  Servers servers() {
    return servers;
  }

  CommitNames names() {
    return names;
  }

  ClientOptions options() {
    return options;
  }

  Logger log() {
    return LOG;
  }

  /** Which snapshots names mean. */
  KnownSnapshots knownSnapshots() {
    return knownSnapshots;
  }

  /** What the names of this client's transactions begin with. */
  String identity() {
    return identity;
  }

  @Override
  public Pace pace() {
    return Pace.MACHINE;
  }

  @Override
  public OpenIndex open(EntryCodec<?, ?> entries, IndexOptions create) {
    Request request =
        new Request.OpenIndex(
            entries.index(),
            entries.keys().id(),
            entries.values().id(),
            true,
            create.subtreeEntriesMax());
    RemoteIndex index = new RemoteIndex(ask(request, Reply.IndexOpened.class));
    learn(index, ask(new Request.AskRoutes(index.number(), 0), Reply.Routes.class));
    return index;
  }

  Reply.IndexOpened describe(String name) {
    return ask(new Request.OpenIndex(name, "", "", false, 0), Reply.IndexOpened.class);
  }

  Reply.Cluster cluster() {
    return ask(new Request.AskCluster(), Reply.Cluster.class);
  }

  Reply.Stats serverStats() {
    return ask(new Request.AskStats(), Reply.Stats.class);
  }

  @Override
  public List<String> indexes() {
    return ask(new Request.ListIndexes(), Reply.Indexes.class).indexes().stream()
        .map(Reply.IndexOpened::name)
        .toList();
  }

  @Override
  public RemoteTransaction begin(Begin how) {
    return new RemoteTransaction(this, how);
  }

  @Override
  public FunctionResult execute(FunctionRequest request) {
    return new RemoteFunction(this, request).run();
  }

  @Override
  public void checkRegisters() {
    throw new CanopyException(
        ErrorCode.INVALID_ARGUMENT,
        "a client registers no functions: the servers load them from jars, see 'canopy server"
            + " --functions', and FunctionProvider");
  }

  @Override
  public IndexStructure structure(String name) {
    return new RemoteStructure(this, describe(name).index());
  }

  /** Not asked again when its connection is lost: it may have been taken, and cannot be twice. */
  @Override
  public NamedSnapshot snapshot(String name) {
    return askOnce(new Request.TakeSnapshot(name), Reply.Snapshots.class).snapshots().get(0);
  }

  /** Asks some server, once. */
  <R extends Reply> R askOnce(Request request, Class<R> wanted) {
    try {
      return answer(servers.to("", deadline()), request, wanted);
    } catch (LostConnectionException e) {
      throw Exchange.lost(e, null);
    }
  }

  @Override
  public List<NamedSnapshot> snapshots() {
    return ask(new Request.ListSnapshots(), Reply.Snapshots.class).snapshots();
  }

  /** Asked again when its connection is lost: then it may be that there is none any more. */
  @Override
  public boolean dropSnapshot(String name) {
    return ask(new Request.DropSnapshot(name), Reply.Count.class).count() > 0;
  }

  /** Asks any server; another one where the connection is lost. For what may be done twice. */
  <R extends Reply> R ask(Request request, Class<R> wanted) {
    long deadlineNanos = deadline();
    String avoid = "";
    for (int attempt = 1; ; attempt++) {
      Connection connection = servers.other(avoid, deadlineNanos);
      try {
        return answer(connection, request, wanted);
      } catch (LostConnectionException e) {
        avoid = connection.address();
        AGAIN.pause(attempt, deadlineNanos, pace());
        if (deadlineNanos - System.nanoTime() <= 0) {
          throw Exchange.lost(e, null);
        }
      }
    }
  }

  private <R extends Reply> R answer(Connection connection, Request request, Class<R> wanted)
      throws LostConnectionException {
    Reply reply = Exchange.await(connection.ask(request), deadline()).reply();
    if (wanted.isInstance(reply)) {
      return wanted.cast(reply);
    }
    throw reply instanceof Reply.Failure failure
        ? failure.toException()
        : Exchange.notAnAnswer(reply, null);
  }

  private static long deadline() {
    return System.nanoTime() + PATIENCE_NANOS;
  }

  /** An answer said that another server has the key: its routes are asked for, once for many. */
  void moved(RemoteIndex index) {
    if (index.beginRefresh()) {
      connector.later(() -> refresh(index), REFRESH_MILLIS);
    }
  }

  /** What has not been asked for since is not known to have moved, so a map has an age too. */
  void refreshOld(RemoteIndex index) {
    if (index.ageNanos() > ROUTES_AGE_NANOS) {
      moved(index);
    }
  }

  /** Runs on a connection's thread, so it does not wait. */
  @SuppressWarnings("FutureReturnValueIgnored") // refreshed hears of it
  private void refresh(RemoteIndex index) {
    Connection connection = servers.open();
    if (connection == null) {
      index.endRefresh();
      return;
    }
    connection
        .ask(new Request.AskRoutes(index.number(), index.routes().version()))
        .whenComplete((answer, e) -> refreshed(index, answer));
  }

  private void refreshed(RemoteIndex index, @Nullable Answer answer) {
    if (answer != null && answer.reply() instanceof Reply.Routes routes) {
      learn(index, routes);
    }
    index.endRefresh();
  }

  private void learn(RemoteIndex index, Reply.Routes routes) {
    servers.learn(routes.addresses());
    index.learn(routes);
  }

  @Override
  public void close() {
    servers.close();
  }
}
