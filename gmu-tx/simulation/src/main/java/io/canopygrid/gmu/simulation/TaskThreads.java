package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.spi.NodeThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The time, chance and background work of one simulated node. */
final class TaskThreads implements NodeThreads {
  /** The length of a unit of virtual time for code that counts in nanoseconds. */
  static final long NANOS_PER_UNIT = 100_000;

  private final EventQueue events;
  private final SeededRandom random;
  private final Tasks tasks;
  private final long nanosPerUnit;
  private final List<TaskWorker> workers = new ArrayList<>();
  private final Pool callers = pool("canopy-async", 64, 1);

  /** The number of tasks of pools that have not ended. */
  private int pooled;

  private boolean closed;

  TaskThreads(EventQueue events, SeededRandom random, Tasks tasks, long nanosPerUnit) {
    this.events = events;
    this.random = random;
    this.tasks = tasks;
    this.nanosPerUnit = nanosPerUnit;
  }

  /** A time of {@link #nanoTime()} in units of virtual time. */
  static long units(long nanos) {
    return nanos / NANOS_PER_UNIT;
  }

  @Override
  public long nanoTime() {
    return events.now() * nanosPerUnit;
  }

  @Override
  public void sleep(long nanos) {
    tasks.sleep(Math.max(1, nanos / nanosPerUnit));
  }

  @Override
  public long random(long bound) {
    return Long.remainderUnsigned(random.nextLong() >>> 8, bound);
  }

  @Override
  public Worker worker(String name, int waitingMax) {
    TaskWorker worker = new TaskWorker(name, waitingMax);
    workers.add(worker);
    return worker;
  }

  @Override
  public Pool pool(String name, int threadsMax, int waitingMax) {
    return new TaskPool(name, threadsMax + waitingMax);
  }

  /** Gives each task a thread, as long as the node is there; then the caller does the work. */
  @Override
  public Executor executor() {
    return task -> {
      if (!callers.submit(task)) {
        task.run();
      }
    };
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    if (future.isDone()) {
      return future.join();
    }
    Tasks.Task self = tasks.current();
    CompletableFuture<T> heard = future.whenComplete((done, failed) -> tasks.wakeAfter(0, self));
    tasks.block(self);
    return heard.join();
  }

  void close() {
    closed = true;
    workers.forEach(worker -> worker.close(0));
  }

  boolean isWorking() {
    return pooled > 0 || workers.stream().anyMatch(worker -> worker.running);
  }

  /** Gives each task a thread at once: what takes time are messages. */
  private final class TaskPool implements Pool {
    private final String name;
    private final int tasksMax;

    TaskPool(String name, int tasksMax) {
      this.name = name;
      this.tasksMax = tasksMax;
    }

    @Override
    public boolean submit(Runnable task) {
      if (closed || pooled >= tasksMax) {
        return false;
      }
      pooled++;
      tasks.spawn(
          name,
          1,
          () -> {
            task.run();
            pooled--;
          });
      return true;
    }

    /** Does not wait: the node is gone, and what is under way ends by that. */
    @Override
    public void close() {}
  }

  private final class TaskWorker implements Worker {
    private final String name;
    private final int waitingMax;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean closed;

    TaskWorker(String name, int waitingMax) {
      this.name = name;
      this.waitingMax = waitingMax;
    }

    @Override
    public boolean submit(Runnable task) {
      if (closed || waiting.size() >= waitingMax) {
        return false;
      }
      waiting.add(task);
      if (!running) {
        running = true;
        tasks.spawn(name, 1, this::work);
      }
      return true;
    }

    private void work() {
      for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
        task.run();
      }
      running = false;
    }

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public void sleep(long nanos) {
      TaskThreads.this.sleep(nanos);
    }

    /** Does not wait: the node is gone, and what is under way ends by that. */
    @Override
    public void close(long millis) {
      closed = true;
      waiting.clear();
    }
  }
}
