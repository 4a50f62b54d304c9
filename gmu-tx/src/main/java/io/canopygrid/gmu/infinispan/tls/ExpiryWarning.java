package io.canopygrid.gmu.infinispan.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once a day that a certificate expires soon. Thread-safe. */
final class ExpiryWarning {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryWarning.class);
  private static final Duration SOON = Duration.ofDays(30);
  private static final long PAUSE_NANOS = TimeUnit.DAYS.toNanos(1);

  private final Path file;
  private final Instant expires;
  private final AtomicLong next = new AtomicLong(System.nanoTime());

  ExpiryWarning(Path file, Instant expires) {
    this.file = file;
    this.expires = expires;
  }

  /** Says it where it is time to. */
  void look() {
    long due = next.get();
    long now = System.nanoTime();
    if (now - due >= 0 && next.compareAndSet(due, now + PAUSE_NANOS) && isSoon()) {
      LOG.warn(
          "the identity {} expires at {}, and nodes do not let each other in from then on: replace"
              + " it",
          file,
          expires);
    }
  }

  private boolean isSoon() {
    return Instant.now().plus(SOON).isAfter(expires);
  }
}
