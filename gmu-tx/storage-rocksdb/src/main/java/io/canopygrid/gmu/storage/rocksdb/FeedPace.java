package io.canopygrid.gmu.storage.rocksdb;

import java.util.concurrent.TimeUnit;

/**
 * Tells how long a write to the log waits while the engine is behind. Each waits a little, so that
 * the log grows as fast as the engine takes it, and no write waits for a whole segment.
 * Thread-safe.
 */
final class FeedPace {
  private static final double FIRST_NANOS_PER_BYTE = 1e9 / (32 << 20);

  /** Shorter waits are put off, as a thread sleeps about so long at least. */
  private static final long WAIT_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

  /** A write is to be stored long before its disk counts as slow. */
  private static final long WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(200);

  private double nanosPerByte = FIRST_NANOS_PER_BYTE;
  private double owedNanos;

  /** The engine has taken so many bytes of the log, at least 1, in so much time. */
  synchronized void fed(long bytes, long nanos) {
    nanosPerByte = nanos / (double) bytes;
  }

  /**
   * A write was logged.
   *
   * @param behind the segments that wait beyond those that may; 0: the engine keeps up
   * @return the nanoseconds that it has to wait
   */
  synchronized long logged(int bytes, int behind) {
    if (behind == 0) {
      owedNanos = 0;
      return 0;
    }
    owedNanos += bytes * nanosPerByte * behind;
    if (owedNanos < WAIT_NANOS_MIN) {
      return 0;
    }
    long nanos = (long) Math.min(owedNanos, (double) WAIT_NANOS_MAX);
    owedNanos = 0;
    return nanos;
  }
}
