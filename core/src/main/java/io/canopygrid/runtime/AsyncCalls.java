package io.canopygrid.runtime;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run transactions of the asynchronous methods: at most {@value #THREADS_MAX}, and
 * {@value #WAITING_MAX} transactions that wait for one; beyond that the caller's own thread does
 * the work. Thread-safe.
 */
final class AsyncCalls implements AutoCloseable {
  static final int THREADS_MAX = 64;
  static final int WAITING_MAX = 10_000;

  private final ThreadPoolExecutor threads;
  private final Executor executor;

  /**
   * Threads of its own.
   *
   * @param instead runs the transactions where it is not null; that they end is its own business
   */
  AsyncCalls(@Nullable Executor instead) {
    threads =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            AsyncCalls::thread,
            AsyncCalls::rejected);
    threads.allowCoreThreadTimeOut(true);
    executor = instead == null ? threads : instead;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "canopy-async");
    thread.setDaemon(true);
    return thread;
  }

  private static void rejected(Runnable task, ThreadPoolExecutor threads) {
    if (!threads.isShutdown()) {
      task.run();
    } else if (task instanceof Call<?> call) {
      call.refuse();
    }
  }

  <T extends @Nullable Object> CompletionStage<T> submit(Callable<T> body) {
    Call<T> call = new Call<>(body);
    executor.execute(call);
    return call.result.minimalCompletionStage();
  }

  /** Refuses the calls that wait; the engine ends those that run. */
  @Override
  public void close() {
    threads.shutdown();
    for (Runnable waiting : threads.getQueue().toArray(new Runnable[0])) {
      if (threads.remove(waiting) && waiting instanceof Call<?> call) {
        call.refuse();
      }
    }
  }

  private static final class Call<T extends @Nullable Object> implements Runnable {
    private final Callable<T> body;
    final CompletableFuture<T> result = new CompletableFuture<>();

    Call(Callable<T> body) {
      this.body = body;
    }

    @Override
    public void run() {
      try {
        result.complete(body.call());
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    }

    void refuse() {
      result.completeExceptionally(
          new CanopyException(ErrorCode.CANOPY_CLOSED, "the handle is closed"));
    }
  }
}
