package io.canopygrid.btree.embedded;

import io.canopygrid.clock.VectorClock;

/** What the transactions of one handle have seen, from each to the next. Thread-safe. */
final class Session {
  private volatile VectorClock seen = VectorClock.ZERO;

  VectorClock clock() {
    return seen;
  }

  /** Most transactions have seen nothing new, and pass without the lock. */
  void saw(VectorClock clock) {
    if (!clock.precedesOrEquals(seen)) {
      synchronized (this) {
        seen = seen.join(clock);
      }
    }
  }
}
