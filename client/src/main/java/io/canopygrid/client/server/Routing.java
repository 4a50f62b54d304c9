package io.canopygrid.client.server;

import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.Connector;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps the routes of indexes up to date. Thread-safe. */
public final class Routing {
  /**
   * The time from an answer "moved" to the question for new routes: many such answers come at once.
   */
  private static final long REFRESH_MILLIS = 20;

  private static final long ROUTES_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Servers servers;
  private final Connector connector;

  Routing(Servers servers, Connector connector) {
    this.servers = servers;
    this.connector = connector;
  }

  /** Takes an answer to a question for the routes of an index. */
  void learn(RemoteIndex.Place index, Reply.Routes routes) {
    servers.learn(routes.addresses());
    index.learn(routes);
  }

  /** An answer said that another server has the key: the routes are asked for, once for many. */
  public void moved(RemoteIndex index) {
    if (index.beginRefresh()) {
      connector.later(() -> refresh(index), REFRESH_MILLIS);
    }
  }

  /**
   * The address of the server that has a key; empty where that is not known. Routes that were not
   * used for a while are not known to have moved, so that old ones are asked for again.
   */
  public String addressOf(RemoteIndex index, byte[] key) {
    if (index.ageNanos() > ROUTES_AGE_NANOS) {
      moved(index);
    }
    return index.routes().addressOf(key);
  }

  /** Runs on a connection's thread, so it does not wait. */
  @SuppressWarnings("FutureReturnValueIgnored") // refreshed hears of it
  private void refresh(RemoteIndex index) {
    Connection connection = servers.open();
    RemoteIndex.Place place = index.place();
    if (connection == null || !place.isIn(connection.grid().id())) {
      index.endRefresh();
      return;
    }
    connection
        .ask(new Request.AskRoutes(place.number(), place.routes().version()))
        .whenComplete((answer, e) -> refreshed(index, place, answer));
  }

  private void refreshed(RemoteIndex index, RemoteIndex.Place place, @Nullable Answer answer) {
    if (answer != null && answer.reply() instanceof Reply.Routes routes) {
      learn(place, routes);
    }
    index.endRefresh();
  }
}
