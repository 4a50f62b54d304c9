package io.canopygrid.server.endpoint;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Workers without threads: their tasks are run when the test says so, by its thread. */
final class SteppedPool extends ThreadPoolExecutor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  SteppedPool() {
    super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs a task; false: none waits. */
  boolean step() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    task.run();
    return true;
  }

  int waiting() {
    return tasks.size();
  }
}
