package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Pace;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one server after the other what became of a commit, until one knows or patience is over.
 * Thread-safe.
 */
public final class OutcomeSearch {
  private static final Reply.Outcome UNKNOWN =
      new Reply.Outcome(CommitState.UNKNOWN, VectorClock.ZERO, null);

  private static final long EACH_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final Backoff AGAIN = new Backoff(20_000_000, 1_000_000_000);

  private static final Logger LOG = LoggerFactory.getLogger(OutcomeSearch.class);

  private final Servers servers;
  private final Duration patience;

  OutcomeSearch(Servers servers, Duration patience) {
    this.servers = servers;
    this.patience = patience;
  }

  /**
   * The outcome of a commit; UNKNOWN where no server could tell. Servers of another grid cannot: a
   * record that was kept in the former one is gone, so that its absence means nothing.
   *
   * @param in the grid in which it was sent
   * @param lost the server that is asked last
   */
  public Reply.Outcome find(CommitId name, @Nullable GridId in, String lost) {
    long untilNanos = System.nanoTime() + patience.toNanos();
    String avoid = lost;
    for (int attempt = 1; ; attempt++) {
      long nowNanos = System.nanoTime();
      long eachNanos = Math.min(untilNanos, nowNanos + EACH_NANOS);
      try {
        Connection connection = servers.other(avoid, eachNanos);
        if (in != null && !in.equals(connection.grid().id())) {
          return UNKNOWN;
        }
        avoid = connection.address();
        Reply reply = Replies.await(connection.ask(new Request.LookUp(name)), eachNanos).reply();
        if (reply instanceof Reply.Outcome outcome && outcome.state() != CommitState.UNKNOWN) {
          return outcome;
        }
      } catch (LostConnectionException e) {
        LOG.debug("Lost {} while asking for the outcome of {}", avoid, name, e);
      } catch (CanopyException e) {
        if (e.code() == ErrorCode.INTERRUPTED || e.code() == ErrorCode.CANOPY_CLOSED) {
          return UNKNOWN;
        }
        LOG.debug("Nobody could be asked for the outcome of {}", name, e);
      }
      AGAIN.pause(attempt, untilNanos, Pace.MACHINE);
      if (untilNanos - System.nanoTime() <= 0) {
        return UNKNOWN;
      }
    }
  }
}
