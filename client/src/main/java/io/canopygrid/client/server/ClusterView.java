package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.client.netty.ConnectSettings;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.Connector;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The cluster as one client knows it. Thread-safe.
 *
 * @param servers the servers and the connections to them
 * @param questions asks any server
 * @param routing knows which server has a key
 * @param snapshots knows the snapshots that names mean
 * @param names names the client's commits
 * @param outcomes finds what became of a commit
 * @param identity the beginning of the names of this client's transactions
 */
public record ClusterView(
    Servers servers,
    Questions questions,
    Routing routing,
    SnapshotCache snapshots,
    CommitNames names,
    OutcomeSearch outcomes,
    String identity)
    implements AutoCloseable {

  /**
   * Connects to at least one server.
   *
   * @param outcomePatience how long the cluster is asked what became of a commit
   * @throws CanopyException where no server can be reached, or refuses
   */
  public static ClusterView connect(
      List<ServerAddress> seeds, ConnectSettings settings, Duration outcomePatience) {
    UUID client = UUID.randomUUID();
    Connector connector = new Connector(settings, client);
    Servers servers = new Servers(connector, seeds);
    try {
      long eachNanos = TimeUnit.MILLISECONDS.toNanos(settings.connectMillis());
      Connection first = servers.to("", System.nanoTime() + eachNanos * seeds.size() + eachNanos);
      Questions.answer(first, new Request.AskCluster(), Reply.class);
    } catch (CanopyException e) {
      connector.close();
      throw e;
    } catch (LostConnectionException e) {
      servers.close();
      throw Replies.lost(e, null);
    }
    Questions questions = new Questions(servers);
    return new ClusterView(
        servers,
        questions,
        new Routing(servers, connector),
        new SnapshotCache(questions),
        new CommitNames(client),
        new OutcomeSearch(servers, outcomePatience),
        client.toString().substring(0, 8));
  }

  /** Closes all connections. */
  @Override
  public void close() {
    servers.close();
  }
}
