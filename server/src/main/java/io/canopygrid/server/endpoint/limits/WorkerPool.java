package io.canopygrid.server.endpoint.limits;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that carry out requests, which may block. Thread-safe. */
public final class WorkerPool implements AutoCloseable {
  private static final long IDLE_SECONDS_MAX = 10;
  private static final long CLOSE_SECONDS_MAX = 2;

  private final ThreadPoolExecutor pool;

  /** A pool of as many threads, and as many waiting tasks, as the limits allow. */
  public WorkerPool(EndpointLimits limits) {
    this(
        new ThreadPoolExecutor(
            limits.workers(),
            limits.workers(),
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(limits.waitingMax()),
            new DefaultThreadFactory("canopy-client-worker", true),
            new ThreadPoolExecutor.AbortPolicy()));
    pool.allowCoreThreadTimeOut(true);
  }

  /** The threads of this executor, which is closed with the pool. */
  WorkerPool(ThreadPoolExecutor pool) {
    this.pool = pool;
  }

  /** Queues a task; false where too many wait already, or the pool is closed. */
  public boolean submit(Runnable task) {
    try {
      pool.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** The number of tasks that wait for a thread. */
  public int waiting() {
    return pool.getQueue().size();
  }

  /** The number of threads that carry out a task. */
  public int busy() {
    return pool.getActiveCount();
  }

  /** Gives the tasks that run some time to end, and interrupts them after that. */
  @Override
  public void close() {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
