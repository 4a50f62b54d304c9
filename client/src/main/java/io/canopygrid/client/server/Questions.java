package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Pace;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Questions outside of transactions, which any server can answer. Thread-safe. */
public final class Questions {
  /** The time that a question may take. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final Backoff AGAIN = new Backoff(5_000_000, 500_000_000);

  private final Servers servers;
  private final CurrentGrid grid;

  Questions(Servers servers, CurrentGrid grid) {
    this.servers = servers;
    this.grid = grid;
  }

  /**
   * Asks any server, and another one where the connection is lost. For requests that may be carried
   * out twice.
   *
   * @throws CanopyException {@link ErrorCode#GRID_CHANGED} where the grid changes meanwhile, or has
   *     changed before and nobody was told
   */
  public <R extends Reply> R ask(Request request, Class<R> wanted) {
    grid.tell();
    return ask(grid.present().id(), request, wanted);
  }

  /** Asks any server of a grid. */
  <R extends Reply> R ask(GridId in, Request request, Class<R> wanted) {
    return askWith(0, in, request, wanted, () -> {});
  }

  /**
   * Asks any server of a grid.
   *
   * @param feature the bit of what the server must be able to do; 0: nothing in particular
   * @param lost is called where a connection is lost, whose server may have carried it out
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where it cannot
   */
  <R extends Reply> R askWith(
      long feature, GridId in, Request request, Class<R> wanted, Runnable lost) {
    long deadlineNanos = deadline();
    String avoid = "";
    for (int attempt = 1; ; attempt++) {
      Connection connection = able(feature, in, avoid, deadlineNanos);
      try {
        return answer(connection, request, wanted);
      } catch (LostConnectionException e) {
        lost.run();
        avoid = connection.address();
        AGAIN.pause(attempt, deadlineNanos, Pace.MACHINE);
        if (deadlineNanos - System.nanoTime() <= 0) {
          throw Replies.lost(e, null);
        }
      }
    }
  }

  /**
   * An answer, and where it comes from.
   *
   * @param server the address, {@code host:port}
   */
  record Answered<R>(String server, R reply) {}

  /**
   * Asks the server of an address, if it can be had, or another one; and another one where the
   * connection is lost or the server is about to stop. For requests that may be carried out twice.
   *
   * @param address empty: any
   * @param feature the bit of what the server must be able to do
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where it cannot
   */
  <R extends Reply> Answered<R> askFirst(
      String address, long feature, GridId in, Request request, Class<R> wanted) {
    long deadlineNanos = deadline();
    String avoid = "";
    for (int attempt = 1; ; attempt++) {
      Connection connection =
          avoid.isEmpty()
              ? servers.to(address, deadlineNanos)
              : servers.other(avoid, deadlineNanos);
      checked(feature, in, connection);
      try {
        return new Answered<>(connection.address(), answer(connection, request, wanted));
      } catch (LostConnectionException e) {
        endIfOver(deadlineNanos, Replies.lost(e, null));
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.NOT_CONNECTED) {
          throw e;
        }
        endIfOver(deadlineNanos, e);
      }
      avoid = connection.address();
      AGAIN.pause(attempt, deadlineNanos, Pace.MACHINE);
    }
  }

  private static void endIfOver(long deadlineNanos, CanopyException e) {
    if (deadlineNanos - System.nanoTime() <= 0) {
      throw e;
    }
  }

  /**
   * Asks any server that can be asked this; empty: the one that was reached is of an older release.
   *
   * @param feature the bit of what the server must be able to do
   * @throws CanopyException as {@link #ask}
   */
  public <R extends Reply> Optional<R> askIfAble(long feature, Request request, Class<R> wanted) {
    grid.tell();
    Connection connection = servers.other("", deadline());
    grid.check(grid.present().id(), connection);
    if ((connection.welcome().features() & feature) == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(answer(connection, request, wanted));
    } catch (LostConnectionException e) {
      throw Replies.lost(e, null);
    }
  }

  /**
   * Checks whether a server can do something.
   *
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where it cannot
   */
  void check(long feature, GridId in) {
    able(feature, in, "", deadline());
  }

  private Connection able(long feature, GridId in, String avoid, long deadlineNanos) {
    return checked(feature, in, servers.other(avoid, deadlineNanos));
  }

  private Connection checked(long feature, GridId in, Connection connection) {
    grid.check(in, connection);
    if (feature != 0 && (connection.welcome().features() & feature) == 0) {
      throw new CanopyException(
          ErrorCode.PROTOCOL_ERROR,
          "server " + connection.address() + " is of an older release, which " + lack(feature));
    }
    return connection;
  }

  private static String lack(long feature) {
    if (feature == WireLimits.FEATURE_CLONES) {
      return "has no clones of indexes";
    }
    if (feature == WireLimits.FEATURE_PREPARED) {
      return "has no prepared transactions";
    }
    return feature == WireLimits.FEATURE_FEEDS ? "has no change feeds" : "cannot do this";
  }

  /** Asks any server once. For requests that must not be carried out twice. */
  public <R extends Reply> R askOnce(Request request, Class<R> wanted) {
    grid.tell();
    return askOnce(grid.present().id(), request, wanted);
  }

  /**
   * Asks the server of an address once, or another one where it cannot be reached.
   *
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where it lacks the feature
   */
  public <R extends Reply> R askAt(String address, long feature, Request request, Class<R> wanted) {
    grid.tell();
    try {
      Connection connection = servers.to(address, deadline());
      return answer(checked(feature, grid.present().id(), connection), request, wanted);
    } catch (LostConnectionException e) {
      throw Replies.lost(e, null);
    }
  }

  /** Asks any server of a grid once. */
  <R extends Reply> R askOnce(GridId in, Request request, Class<R> wanted) {
    try {
      Connection connection = servers.to("", deadline());
      grid.check(in, connection);
      return answer(connection, request, wanted);
    } catch (LostConnectionException e) {
      throw Replies.lost(e, null);
    }
  }

  static <R extends Reply> R answer(Connection connection, Request request, Class<R> wanted)
      throws LostConnectionException {
    Reply reply = Replies.await(connection.ask(request), deadline()).reply();
    if (wanted.isInstance(reply)) {
      return wanted.cast(reply);
    }
    throw reply instanceof Reply.Failure failure
        ? failure.toException()
        : Replies.notAnAnswer(reply, null);
  }

  private static long deadline() {
    return System.nanoTime() + PATIENCE_NANOS;
  }
}
