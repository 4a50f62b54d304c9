package io.canopygrid.transaction;

import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;

/** Carries the clock of a handle from each transaction to the next. Thread-safe. */
public final class Session {
  private volatile VectorClock seen = VectorClock.ZERO;

  /** The clock of all that the transactions have seen. */
  public VectorClock clock() {
    return seen;
  }

  /** The beginning of the next transaction. */
  public Begin begin(TransactionOptions options, Mode mode, long deadlineNanos) {
    return new Begin(
        mode,
        seen.join(options.after().clock()),
        deadlineNanos,
        options.label(),
        options.readFrom(),
        options.snapshot());
  }

  /** A transaction has seen this. Most have seen nothing new, and pass without the lock. */
  public void saw(VectorClock clock) {
    if (!clock.precedesOrEquals(seen)) {
      synchronized (this) {
        seen = seen.join(clock);
      }
    }
  }
}
