package io.canopygrid.gmu.infinispan.tls;

import io.canopygrid.ErrorCode;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs who was not let in, one line for an address in ten minutes: whoever tries again and again
 * must not fill the log. Thread-safe.
 */
final class Strangers {
  private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int ADDRESSES_MAX = 256;

  private final Map<InetAddress, Long> told =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Long> eldest) {
          return size() > ADDRESSES_MAX;
        }
      };

  /** Somebody there has not shown to be a node. */
  void refused(InetAddress from, IOException why) {
    if (isGone(why)) {
      // So do nodes that ask whether somebody listens here.
      LOG.debug("{} has closed a connection at once", from.getHostAddress());
    } else if (isToTell(from)) {
      LOG.warn(
          "{} somebody at {}, who is no node of this cluster, was not let in: {}",
          ErrorCode.UNAUTHENTICATED,
          from.getHostAddress(),
          why.getMessage());
    }
  }

  private static boolean isGone(@Nullable Throwable why) {
    for (Throwable t = why; t != null; t = t.getCause()) {
      if (t instanceof EOFException) {
        return true;
      }
    }
    return false;
  }

  private boolean isToTell(InetAddress from) {
    long now = System.nanoTime();
    synchronized (told) {
      Long last = told.get(from);
      if (last != null && now - last < PAUSE_NANOS) {
        return false;
      }
      told.remove(from);
      told.put(from, now);
      return true;
    }
  }
}
