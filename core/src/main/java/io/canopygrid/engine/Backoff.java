package io.canopygrid.engine;

/**
 * The time to wait before the next attempt: a random time up to a bound that doubles with each
 * ("full jitter"), so that transactions in conflict do not meet again.
 *
 * @param firstNanos bound of the first wait, at least 1
 * @param mostNanos bound of every wait, at least {@code firstNanos}
 */
public record Backoff(long firstNanos, long mostNanos) {
  /** Checks the ranges. */
  public Backoff {
    if (firstNanos < 1 || mostNanos < firstNanos) {
      throw new IllegalArgumentException(
          "must be 1 <= firstNanos <= mostNanos: " + firstNanos + ", " + mostNanos);
    }
  }

  /**
   * A wait before attempt number {@code attempt}, 1 for the first one again.
   *
   * @return nanoseconds, at least 1
   */
  public long nanos(int attempt, Pace pace) {
    int doublings = Math.min(Math.max(attempt - 1, 0), Long.numberOfLeadingZeros(firstNanos) - 1);
    long bound = Math.min(firstNanos << doublings, mostNanos);
    return pace.random(bound) + 1;
  }

  /** Waits before an attempt, at most until a deadline; shorter when the thread is interrupted. */
  public void pause(int attempt, long deadlineNanos, Pace pace) {
    long nanos = Math.min(nanos(attempt, pace), deadlineNanos - pace.nanoTime());
    if (nanos > 0) {
      pace.sleep(nanos);
    }
  }
}
