package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Pace;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Does again what fails because a server is lost or busy, for two minutes. */
final class Patience {
  private static final long NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final Backoff AGAIN = new Backoff(10_000_000, 1_000_000_000);

  private Patience() {}

  /** The result of a call that does no harm when it is done twice. */
  static <T> T call(Supplier<T> call) {
    long deadlineNanos = System.nanoTime() + NANOS;
    for (int attempt = 1; ; attempt++) {
      try {
        return call.get();
      } catch (CanopyException e) {
        if (!isPassing(e) || System.nanoTime() - deadlineNanos >= 0) {
          throw e;
        }
        AGAIN.pause(attempt, deadlineNanos, Pace.MACHINE);
      }
    }
  }

  /** Whether an error passes by itself. */
  static boolean isPassing(CanopyException e) {
    return e.retryable()
        || e.code() == ErrorCode.COMMIT_UNKNOWN
        || e.code() == ErrorCode.NOT_CONNECTED
        || e.code() == ErrorCode.RETRIES_EXHAUSTED;
  }
}
