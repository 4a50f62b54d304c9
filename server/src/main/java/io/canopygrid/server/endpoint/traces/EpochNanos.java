package io.canopygrid.server.endpoint.traces;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Translates the JVM's running time into that since 1970, in nanoseconds. The spans of one
 * transaction share one, so that a step of the machine's clock does not tear them apart.
 *
 * @param offset what has to be added to {@link System#nanoTime}
 */
record EpochNanos(long offset) {
  static EpochNanos now() {
    Instant now = Instant.now();
    long epoch = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    return new EpochNanos(epoch - System.nanoTime());
  }

  long at(long nanoTime) {
    return nanoTime + offset;
  }
}
