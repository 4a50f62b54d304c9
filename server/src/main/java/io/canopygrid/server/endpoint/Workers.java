package io.canopygrid.server.endpoint;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that carry out requests, which may block. Thread-safe. */
final class Workers implements AutoCloseable {
  private final ThreadPoolExecutor pool;

  Workers(int count, int waitingMax) {
    this(
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waitingMax),
            new DefaultThreadFactory("canopy-client-worker", true),
            new ThreadPoolExecutor.AbortPolicy()));
    pool.allowCoreThreadTimeOut(true);
  }

  /** The threads of this pool, which is closed with it. */
  Workers(ThreadPoolExecutor pool) {
    this.pool = pool;
  }

  /** Runs a task, later; false where too many wait already, or this is closed. */
  boolean submit(Runnable task) {
    try {
      pool.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  int waiting() {
    return pool.getQueue().size();
  }

  int busy() {
    return pool.getActiveCount();
  }

  /** Lets what is under way end, for a while. */
  @Override
  public void close() {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(2, TimeUnit.SECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
