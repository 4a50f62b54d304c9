package io.canopygrid.gmu.node;

import io.canopygrid.engine.Pace;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's clock and threads. Thread-safe. */
final class MachineThreads implements NodeThreads {
  /** For all nodes outside of a simulation. */
  static final MachineThreads SHARED = new MachineThreads();

  private MachineThreads() {}

  @Override
  public long nanoTime() {
    return Pace.MACHINE.nanoTime();
  }

  @Override
  public void sleep(long nanos) {
    Pace.MACHINE.sleep(nanos);
  }

  @Override
  public long random(long bound) {
    return Pace.MACHINE.random(bound);
  }

  @Override
  public Worker worker(String name, int waitingMax) {
    return new OneThread(name, waitingMax);
  }

  @Override
  public Pool pool(String name, int threadsMax, int waitingMax) {
    return new Threads(name, threadsMax, waitingMax);
  }

  /** A thread that does not keep the JVM alive. */
  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static final class Threads implements Pool {
    /** After so long without a task a thread ends. */
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

    Threads(String name, int threadsMax, int waitingMax) {
      threads =
          new ThreadPoolExecutor(
              threadsMax,
              threadsMax,
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new ArrayBlockingQueue<>(waitingMax),
              task -> daemon(task, name));
      threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public boolean submit(Runnable task) {
      try {
        threads.execute(task);
        return true;
      } catch (RejectedExecutionException e) {
        return false;
      }
    }

    @Override
    public void close() {
      threads.shutdownNow();
    }
  }

  private static final class OneThread implements Worker {
    private final ThreadPoolExecutor thread;
    private final CountDownLatch closed = new CountDownLatch(1);

    OneThread(String name, int waitingMax) {
      thread =
          new ThreadPoolExecutor(
              1,
              1,
              0,
              TimeUnit.SECONDS,
              new ArrayBlockingQueue<>(waitingMax),
              task -> daemon(task, name));
    }

    @Override
    public boolean submit(Runnable task) {
      try {
        thread.execute(task);
        return true;
      } catch (RejectedExecutionException e) {
        return false;
      }
    }

    @Override
    public boolean isClosed() {
      return thread.isShutdown();
    }

    @Override
    @SuppressWarnings("ResultOfMethodCallIgnored") // either way the sleep is over
    public void sleep(long nanos) {
      try {
        closed.await(nanos, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close(long millis) {
      closed.countDown();
      thread.getQueue().clear();
      thread.shutdown();
      try {
        if (!thread.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
          thread.shutdownNow();
        }
      } catch (InterruptedException e) {
        thread.shutdownNow();
        Thread.currentThread().interrupt();
      }
    }
  }
}
