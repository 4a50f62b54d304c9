package io.canopygrid.jcache;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what a cache was given, where that can be closed. */
final class CloseQuietly {
  private static final Logger LOG = LoggerFactory.getLogger(CloseQuietly.class);

  private CloseQuietly() {}

  /** A failure is logged: the cache is closed all the same. */
  static void close(@Nullable Object part) {
    if (part instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        LOG.warn("{} does not close", part.getClass().getName(), e);
      }
    }
  }
}
