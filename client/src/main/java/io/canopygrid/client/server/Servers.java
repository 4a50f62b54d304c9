package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.Connector;
import io.canopygrid.client.netty.LostConnectionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The servers that are known, and one connection to each that was needed so far. A server that
 * could not be reached is left alone for {@value #PENALTY_MILLIS} ms, unless there is no other one.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // callers hear of each
public final class Servers implements AutoCloseable {
  private static final long PENALTY_MILLIS = 1_000;

  /** Servers beyond these are not remembered. */
  private static final int KNOWN_MAX = 1_000;

  private final Connector connector;
  private final CurrentGrid grid;
  private final ReentrantLock changing = new ReentrantLock();
  private final List<ServerAddress> seeds;
  private final Map<String, Server> known = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Creates the servers with no connection yet. */
  Servers(Connector connector, CurrentGrid grid, List<ServerAddress> seeds) {
    this.connector = connector;
    this.grid = grid;
    this.seeds = new ArrayList<>(seeds);
    Collections.shuffle(this.seeds);
    this.seeds.forEach(seed -> known.put(seed.toString(), new Server(seed)));
  }

  /** One server. The fields are guarded by the object itself. */
  private final class Server {
    private final ServerAddress address;
    private @Nullable CompletableFuture<Connection> opening;
    private @Nullable String trouble;
    private long troubleNanos;

    /** Whether it has said that it is of another grid. */
    private boolean foreign;

    Server(ServerAddress address) {
      this.address = address;
    }

    synchronized CompletableFuture<Connection> connection() {
      if (opening != null && isGood(opening)) {
        return opening;
      }
      // A caller that waits goes on after the trouble is noted.
      CompletableFuture<Connection> next =
          connector
              .open(address.host(), address.port(), grid.known())
              .whenComplete((connection, e) -> opened(e));
      opening = next;
      return next;
    }

    private boolean isGood(CompletableFuture<Connection> opening) {
      if (!opening.isDone()) {
        return true;
      }
      return !opening.isCompletedExceptionally()
          && opening.join().isUsable()
          && grid.accepts(opening.join());
    }

    private synchronized void opened(@Nullable Throwable e) {
      trouble = e == null ? null : String.valueOf(e.getMessage());
      troubleNanos = System.nanoTime();
      foreign = e instanceof LostConnectionException lost && lost.code() == ErrorCode.GRID_CHANGED;
    }

    /** Whether it was reached last and is of another grid. */
    synchronized boolean isForeign() {
      return foreign;
    }

    /** Whether it could not be reached when this was tried last. */
    synchronized boolean isInTrouble() {
      return trouble != null;
    }

    /** Ends a connection to the former grid. */
    synchronized void forget() {
      CompletableFuture<Connection> former = opening;
      opening = null;
      trouble = null;
      foreign = false;
      if (former != null) {
        former.thenAccept(connection -> connection.close("it is of a former grid"));
      }
    }

    synchronized boolean isSuspect() {
      return trouble != null
          && System.nanoTime() - troubleNanos < TimeUnit.MILLISECONDS.toNanos(PENALTY_MILLIS);
    }

    synchronized @Nullable Connection open() {
      return opening != null && opening.isDone() && isGood(opening) ? opening.join() : null;
    }

    synchronized @Nullable CompletableFuture<Connection> begun() {
      return opening;
    }
  }

  /** Remembers addresses that servers told of; texts that are no addresses are passed over. */
  void learn(List<String> addresses) {
    for (String address : addresses) {
      if (!address.isEmpty() && !known.containsKey(address) && known.size() < KNOWN_MAX) {
        Server server = parsed(address);
        if (server != null) {
          known.putIfAbsent(address, server);
        }
      }
    }
  }

  private @Nullable Server parsed(String address) {
    try {
      return new Server(ServerAddress.parse(address, 0));
    } catch (CanopyException e) {
      return null; // a server that nobody can go to
    }
  }

  /**
   * A connection: to the server of this address if that can be had, else to any other.
   *
   * @param address empty: whichever
   * @throws CanopyException {@link ErrorCode#NOT_CONNECTED} that names all that was tried, {@link
   *     ErrorCode#UNAUTHENTICATED} and the like where a server said so, {@link
   *     ErrorCode#CANOPY_CLOSED}, {@link ErrorCode#INTERRUPTED}
   */
  public Connection to(String address, long deadlineNanos) {
    Map<String, String> why = new LinkedHashMap<>();
    Server wanted = known.get(address);
    if (wanted != null && !wanted.isSuspect()) {
      Connection connection = tried(wanted, deadlineNanos, why);
      if (connection != null) {
        return connection;
      }
    }
    return other(address, deadlineNanos, why);
  }

  /** A connection to any server but this one, where there is one. */
  public Connection other(String address, long deadlineNanos) {
    return other(address, deadlineNanos, new LinkedHashMap<>());
  }

  private Connection other(String address, long deadlineNanos, Map<String, String> why) {
    List<Server> order = new ArrayList<>();
    List<Server> last = new ArrayList<>();
    for (Server server : inOrder()) {
      if (why.containsKey(server.address.toString())) {
        continue;
      }
      boolean avoided = server.address.toString().equals(address) || server.isSuspect();
      Connection open = avoided ? null : server.open();
      if (open != null) {
        return open;
      }
      (avoided ? last : order).add(server);
    }
    order.addAll(last);
    for (Server server : order) {
      Connection connection = tried(server, deadlineNanos, why);
      if (connection != null) {
        return connection;
      }
    }
    Connection elsewhere = ofAnotherGrid(deadlineNanos, why);
    if (elsewhere != null) {
      return elsewhere;
    }
    throw unreachable(why);
  }

  /**
   * A connection to a server of another grid, which becomes this handle's; null: there is none, or
   * a server of this grid may be there still. A caller that began in the former grid finds out by
   * {@link CurrentGrid#check}.
   */
  private @Nullable Connection ofAnotherGrid(long deadlineNanos, Map<String, String> why) {
    GridId former = grid.known();
    changing.lock();
    try {
      List<Server> all = inOrder();
      if (former == null || !all.stream().allMatch(Server::isInTrouble)) {
        return null;
      }
      for (Server server : all) {
        if (!former.equals(grid.known())) {
          return null; // another thread was here; the caller finds the new grid when it asks again
        }
        if (server.isForeign() && becomesGridOf(server, deadlineNanos)) {
          return tried(server, deadlineNanos, why);
        }
      }
      return null;
    } finally {
      changing.unlock();
    }
  }

  private boolean becomesGridOf(Server server, long deadlineNanos) {
    ServerAddress address = server.address;
    Connection connection;
    try {
      connection =
          connector
              .open(address.host(), address.port(), null)
              .get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false; // it has gone again
    }
    if (connection.grid().id().equals(grid.known())) {
      connection.close("it has come back");
      server.forget();
      return true;
    }
    grid.becomes(connection.grid());
    connection.close("only its grid was asked for");
    // Addresses that servers of the former grid told of are those of nobody now.
    known.values().removeIf(other -> other != server && !seeds.contains(other.address));
    known.values().forEach(Server::forget);
    return true;
  }

  /** A connection that is open now, null where there is none. */
  @Nullable Connection open() {
    for (Server server : inOrder()) {
      Connection connection = server.open();
      if (connection != null) {
        return connection;
      }
    }
    return null;
  }

  /** The connection to the server of this address that is open now, null where there is none. */
  @Nullable Connection openTo(String address) {
    Server server = known.get(address);
    return server == null ? null : server.open();
  }

  /** The servers of the URI first; each handle has an order of its own. */
  private List<Server> inOrder() {
    List<Server> order = new ArrayList<>();
    for (ServerAddress seed : seeds) {
      Server server = known.get(seed.toString());
      if (server != null) {
        order.add(server);
      }
    }
    for (Server server : known.values()) {
      if (!seeds.contains(server.address)) {
        order.add(server);
      }
    }
    return order;
  }

  private @Nullable Connection tried(Server server, long deadlineNanos, Map<String, String> why) {
    if (closed) {
      throw new CanopyException(ErrorCode.CANOPY_CLOSED, "the handle is closed");
    }
    String name = server.address.toString();
    try {
      long nanos = Math.max(0, deadlineNanos - System.nanoTime());
      Connection connection = server.connection().get(nanos, TimeUnit.NANOSECONDS);
      if (grid.accepts(connection)) {
        return connection;
      }
      why.put(name, "it is of " + connection.grid());
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(
          ErrorCode.INTERRUPTED, "the thread was interrupted while it connected", e);
    } catch (TimeoutException e) {
      why.put(name, "not connected in time");
      return null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LostConnectionException lost
          && lost.code() != ErrorCode.NOT_CONNECTED
          && lost.code() != ErrorCode.GRID_CHANGED) {
        throw new CanopyException(lost.code(), name + ": " + lost.getMessage(), lost);
      }
      Throwable cause = e.getCause() == null ? e : e.getCause();
      why.put(name, String.valueOf(cause.getMessage()));
      return null;
    }
  }

  private CanopyException unreachable(Map<String, String> why) {
    List<String> reasons = new ArrayList<>();
    why.forEach((address, reason) ->
        reasons.add(reason.startsWith(address) ? reason : address + " (" + reason + ")"));
    return new CanopyException(
        ErrorCode.NOT_CONNECTED,
        "no server can be reached: " + String.join(", ", reasons),
        CommitState.NOT_COMMITTED,
        null,
        null);
  }

  /** Whether the handle has been closed. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    for (Server server : known.values()) {
      CompletableFuture<Connection> begun = server.begun();
      if (begun != null) {
        begun.thenAccept(connection -> connection.close("the handle was closed"));
      }
    }
    connector.close();
  }
}
