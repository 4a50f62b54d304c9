package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.spi.Backoff;
import io.canopygrid.spi.Pace;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.concurrent.TimeUnit;

/** Asks one server after the other what became of a commit, until one knows or patience is over. */
final class OutcomeSearch {
  private static final Reply.Outcome UNKNOWN =
      new Reply.Outcome(CommitState.UNKNOWN, VectorClock.ZERO, null);

  private static final long EACH_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final Backoff AGAIN = new Backoff(20_000_000, 1_000_000_000);

  private final RemoteEngine engine;

  OutcomeSearch(RemoteEngine engine) {
    this.engine = engine;
  }

  /** What became of it; UNKNOWN where nobody could tell. */
  Reply.Outcome find(CommitId name, String lost) {
    long untilNanos = System.nanoTime() + engine.options().outcomePatience().toNanos();
    String avoid = lost;
    for (int attempt = 1; ; attempt++) {
      long nowNanos = System.nanoTime();
      long eachNanos = Math.min(untilNanos, nowNanos + EACH_NANOS);
      try {
        Connection connection = engine.servers().other(avoid, eachNanos);
        avoid = connection.address();
        Reply reply = Exchange.await(connection.ask(new Request.LookUp(name)), eachNanos).reply();
        if (reply instanceof Reply.Outcome outcome && outcome.state() != CommitState.UNKNOWN) {
          return outcome;
        }
      } catch (LostConnectionException e) {
        engine.log().debug("Lost {} while asking for the outcome of {}", avoid, name, e);
      } catch (CanopyException e) {
        if (e.code() == ErrorCode.INTERRUPTED || e.code() == ErrorCode.CANOPY_CLOSED) {
          return UNKNOWN;
        }
        engine.log().debug("Nobody could be asked for the outcome of {}", name, e);
      }
      AGAIN.pause(attempt, untilNanos, Pace.MACHINE);
      if (untilNanos - System.nanoTime() <= 0) {
        return UNKNOWN;
      }
    }
  }
}
