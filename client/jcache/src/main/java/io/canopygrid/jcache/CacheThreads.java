package io.canopygrid.jcache;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a manager: those that load, and one that searches for expired entries once there
 * is a cache whose entries can expire. Thread-safe.
 */
final class CacheThreads {
  private static final int LOADING_MAX = 8;

  /** The loads that wait at most; past that the caller of {@code loadAll} loads. */
  private static final int WAITING_MAX = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(CacheThreads.class);

  private final Duration pause;
  private final Runnable sweep;
  private final ThreadPoolExecutor loading;
  private @Nullable ScheduledThreadPoolExecutor sweeping;

  /**
   * Without any thread yet.
   *
   * @param pause between two searches; zero: there are none
   * @param sweep one search
   */
  CacheThreads(Duration pause, Runnable sweep) {
    this.pause = pause;
    this.sweep = sweep;
    this.loading =
        new ThreadPoolExecutor(
            LOADING_MAX,
            LOADING_MAX,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> daemon(task, "canopy-load"),
            new ThreadPoolExecutor.CallerRunsPolicy());
    loading.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread made = new Thread(task, name);
    made.setDaemon(true);
    return made;
  }

  Executor loading() {
    return loading;
  }

  /** A cache was opened. */
  synchronized void began(boolean expires) {
    if (expires && sweeping == null && !pause.isZero() && !loading.isShutdown()) {
      sweeping = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "canopy-sweep"));
      ScheduledFuture<?> unused =
          sweeping.scheduleWithFixedDelay(
              this::sweepOnce,
              pause.toMillis(),
              Math.max(1, pause.toMillis()),
              TimeUnit.MILLISECONDS);
    }
  }

  /** A search that fails is not the last one. */
  private void sweepOnce() {
    try {
      sweep.run();
    } catch (RuntimeException e) {
      LOG.warn("a search for expired entries failed", e);
    }
  }

  synchronized void close() {
    loading.shutdown();
    if (sweeping != null) {
      sweeping.shutdownNow();
    }
  }
}
