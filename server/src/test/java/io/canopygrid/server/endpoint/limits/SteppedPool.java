package io.canopygrid.server.endpoint.limits;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A pool without threads: its tasks run when the test says so, on its thread. */
public final class SteppedPool extends ThreadPoolExecutor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  /** Creates a pool with no task. */
  public SteppedPool() {
    super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** The pool as an endpoint knows it. */
  public WorkerPool workers() {
    return new WorkerPool(this);
  }

  /** Runs a task; false: none waits. */
  public boolean step() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    task.run();
    return true;
  }

  /** The number of tasks that wait. */
  public int waiting() {
    return tasks.size();
  }
}
