package io.canopygrid.transaction;

import io.canopygrid.CausalToken;
import io.canopygrid.GridId;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries the clock of a handle from each transaction to the next, within one grid: the clock of
 * another grid means nothing. Thread-safe.
 */
public final class Session {
  private volatile Past seen = new Past(null, VectorClock.ZERO);

  /**
   * All that the transactions in one grid have seen.
   *
   * @param grid null: it has no id, as in a simulation
   */
  private record Past(@Nullable GridId grid, VectorClock clock) {}

  /** From now on the transactions are in this grid; what was seen in another one is forgotten. */
  public synchronized void enter(GridId grid) {
    Past past = seen;
    if (!grid.equals(past.grid)) {
      seen = new Past(grid, past.grid == null ? past.clock : VectorClock.ZERO);
    }
  }

  /** The clock of all that the transactions have seen. */
  public VectorClock clock() {
    return seen.clock;
  }

  /** A token of it. */
  public CausalToken token() {
    Past past = seen;
    return CausalToken.of(past.grid, past.clock);
  }

  /**
   * The beginning of the next transaction.
   *
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#INVALID_TOKEN} where the
   *     token of the options is of another grid
   */
  public Begin begin(TransactionOptions options, Mode mode, long deadlineNanos) {
    Past past = seen;
    options.after().checkOf(past.grid);
    return new Begin(
        mode,
        past.clock.join(options.after().clock()),
        deadlineNanos,
        options.label(),
        options.readFrom(),
        options.snapshot(),
        past.grid);
  }

  /** A transaction has seen this. Most have seen nothing new, and pass without the lock. */
  public void saw(VectorClock clock) {
    saw(seen.grid, clock);
  }

  /** A transaction that began in a grid has seen this there. */
  public void saw(@Nullable GridId grid, VectorClock clock) {
    Past past = seen;
    if (!clock.precedesOrEquals(past.clock) || !Objects.equals(grid, past.grid)) {
      join(grid, clock);
    }
  }

  private synchronized void join(@Nullable GridId grid, VectorClock clock) {
    Past past = seen;
    if (Objects.equals(grid, past.grid)) {
      seen = new Past(grid, past.clock.join(clock));
    }
  }
}
