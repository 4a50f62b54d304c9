package io.canopygrid.btree.embedded;

import io.canopygrid.clock.VectorClock;
import java.util.concurrent.atomic.AtomicReference;

/** What the transactions of one handle have seen, from each to the next. Thread-safe. */
final class Session {
  private final AtomicReference<VectorClock> seen = new AtomicReference<>(VectorClock.ZERO);

  VectorClock clock() {
    return seen.get();
  }

  void saw(VectorClock clock) {
    VectorClock before = seen.get();
    VectorClock after = before.join(clock);
    while (after != before && !seen.compareAndSet(before, after)) {
      before = seen.get();
      after = before.join(clock);
    }
  }
}
