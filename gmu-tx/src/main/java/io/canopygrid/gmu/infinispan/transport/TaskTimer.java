package io.canopygrid.gmu.infinispan.transport;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs a task after some time, on a thread that the task must not block. Thread-safe. */
@FunctionalInterface
public interface TaskTimer {
  /** Runs the task once, no earlier than after so many nanoseconds. */
  void run(Runnable task, long nanos);

  /**
   * A timer for tasks without results.
   *
   * @param enter runs a task, and sees to what goes wrong in it, of which the executor says nothing
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  static TaskTimer of(ScheduledExecutorService timer, Consumer<Runnable> enter) {
    return (task, nanos) -> timer.schedule(() -> enter.accept(task), nanos, TimeUnit.NANOSECONDS);
  }
}
