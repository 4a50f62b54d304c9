package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.client.netty.ConnectSettings;
import io.canopygrid.client.netty.Connector;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.CommitNames;
import io.canopygrid.transaction.Session;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The cluster as one client knows it. Thread-safe.
 *
 * @param grid the grid that the handle is of
 * @param servers the servers and the connections to them
 * @param questions asks any server
 * @param routing knows which server has a key
 * @param indexes the indexes that the handle has opened
 * @param snapshots knows the snapshots that names mean
 * @param names names the client's commits
 * @param outcomes finds what became of a commit
 * @param session carries what the handle has seen from each transaction to the next
 * @param identity the beginning of the names of this client's transactions
 */
public record ClusterView(
    CurrentGrid grid,
    Servers servers,
    Questions questions,
    Routing routing,
    RemoteIndexes indexes,
    SnapshotCache snapshots,
    CommitNames names,
    OutcomeSearch outcomes,
    Session session,
    String identity)
    implements AutoCloseable {

  /**
   * Connects to at least one server.
   *
   * @param outcomePatience how long the cluster is asked what became of a commit
   * @param session the handle's
   * @throws CanopyException where no server can be reached, or refuses
   */
  public static ClusterView connect(
      List<ServerAddress> seeds,
      ConnectSettings settings,
      Duration outcomePatience,
      Session session) {
    UUID client = UUID.randomUUID();
    Connector connector = new Connector(settings, client);
    CurrentGrid grid = new CurrentGrid(session::enter);
    Servers servers = new Servers(connector, grid, seeds);
    Questions questions = new Questions(servers, grid);
    try {
      long eachNanos = TimeUnit.MILLISECONDS.toNanos(settings.connectMillis());
      servers.to("", System.nanoTime() + eachNanos * seeds.size() + eachNanos);
      // A server that stops just then is no reason to fail while others serve.
      questions.ask(new Request.AskCluster(), Reply.class);
    } catch (CanopyException e) {
      servers.close();
      throw e;
    }
    Routing routing = new Routing(servers, connector);
    SnapshotCache snapshots = new SnapshotCache(questions);
    CommitNames names = new CommitNames(client);
    grid.onChange(next -> {
      snapshots.clear();
      names.clear();
    });
    return new ClusterView(
        grid,
        servers,
        questions,
        routing,
        new RemoteIndexes(grid, questions, routing),
        snapshots,
        names,
        new OutcomeSearch(servers, outcomePatience),
        session,
        client.toString().substring(0, 8));
  }

  /** A server has refused a transaction, or ended it: what it says of other things is noted. */
  public void heard(CanopyException e, Begin how) {
    indexes.heard(e, how.grid());
    session.failed(how.grid(), how.after(), e);
  }

  /** Closes all connections. */
  @Override
  public void close() {
    servers.close();
  }
}
