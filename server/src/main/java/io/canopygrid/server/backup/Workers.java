package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Does tasks on some threads, and ends all of them with the first that fails. */
final class Workers {
  private static final long TICK_MILLIS = 200;

  private Workers() {}

  /**
   * The results of all tasks, in their order. When this ends no task is under way.
   *
   * @param tick is run now and then by the caller's thread, and at the end
   */
  static <T> List<T> run(int threads, List<Callable<T>> tasks, Runnable tick) {
    ExecutorService pool =
        Executors.newFixedThreadPool(threads, task -> new Thread(task, "canopy-backup"));
    try {
      CompletionService<T> done = new ExecutorCompletionService<>(pool);
      List<Future<T>> all = new ArrayList<>();
      tasks.forEach(task -> all.add(done.submit(task)));
      for (int left = tasks.size(); left > 0; ) {
        Future<T> one = done.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        tick.run();
        if (one != null) {
          one.get();
          left--;
        }
      }
      List<T> results = new ArrayList<>();
      for (Future<T> one : all) {
        results.add(one.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted", e);
    } catch (ExecutionException | CancellationException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e);
    } finally {
      end(pool);
    }
  }

  private static void end(ExecutorService pool) {
    pool.shutdownNow();
    boolean interrupted = false;
    while (true) {
      try {
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
