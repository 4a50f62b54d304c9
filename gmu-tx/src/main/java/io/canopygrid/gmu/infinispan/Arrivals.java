package io.canopygrid.gmu.infinispan;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that nothing comes from other nodes any more. A large copy takes long, so a node that
 * waits for one waits as long as something comes. Not thread-safe.
 */
final class Arrivals {
  /** So long without anything new, and a member that waits for shards leaves its grid. */
  static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(30);

  /** So long after something has come, more may still come. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LongSupplier arrived;
  private final LongSupplier nanoTime;
  private long last;
  private long since;
  private boolean seen;

  /**
   * Begins with what has come.
   *
   * @param arrived rises with what comes
   * @param nanoTime the time, in nanoseconds from some origin
   */
  Arrivals(LongSupplier arrived, LongSupplier nanoTime) {
    this.arrived = arrived;
    this.nanoTime = nanoTime;
    last = arrived.getAsLong();
    since = nanoTime.getAsLong();
  }

  /** For how many nanoseconds nothing new has come, as far as calls of this have seen. */
  long nanosWithout() {
    long now = nanoTime.getAsLong();
    long soFar = arrived.getAsLong();
    if (soFar != last) {
      last = soFar;
      since = now;
      seen = true;
    }
    return now - since;
  }

  /** Begins anew: arrivals until now do not count as new. */
  void begin() {
    last = arrived.getAsLong();
    since = nanoTime.getAsLong();
    seen = false;
  }

  /** Whether this call, or one not longer ago, has seen something new since the beginning. */
  boolean haveComeWithin(long nanos) {
    return nanosWithout() < nanos && seen;
  }
}
