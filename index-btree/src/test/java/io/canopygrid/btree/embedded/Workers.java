package io.canopygrid.btree.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that run until all are done or one fails. */
final class Workers {
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch begin = new CountDownLatch(1);

  /** Work that may fail. */
  interface Work {
    void run() throws Exception;
  }

  /** Runs an action on a thread of its own, and waits for its end. */
  static void elsewhere(Runnable action) {
    try {
      new Workers().add(action::run).join("elsewhere");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Workers add(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                begin.await();
                work.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            },
            "worker-" + threads.size());
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return this;
  }

  /** Whether a thread has failed, so that the others can stop. */
  boolean failed() {
    return failure.get() != null;
  }

  /** Lets all begin and waits for their end; throws what one of them threw. */
  void join(String where) throws InterruptedException {
    begin.countDown();
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    for (Thread thread : threads) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      thread.join(Math.max(1, millis));
      if (thread.isAlive() && !failed()) {
        throw new AssertionError(where + ": " + thread.getName() + " does not end");
      }
    }
    Throwable e = failure.get();
    if (e != null) {
      throw new AssertionError(where + ": " + e, e);
    }
  }
}
