package io.canopygrid.soak.cluster;

import io.canopygrid.CanopyException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A patient asker for the time after all faults: on a machine that is busy a node can still be
 * taken for dead, and it comes back.
 */
final class RetryAfterFaults {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final long PAUSE_MILLIS = 200;

  private RetryAfterFaults() {}

  /** The first answer that is no refusal; the last refusal where there is none in time. */
  static <T> T of(Supplier<T> question) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        return question.get();
      } catch (CanopyException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }
}
