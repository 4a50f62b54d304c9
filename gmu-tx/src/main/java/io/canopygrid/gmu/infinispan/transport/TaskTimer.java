package io.canopygrid.gmu.infinispan.transport;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs a task after some time, on a thread that the task must not block. Thread-safe. */
@FunctionalInterface
public interface TaskTimer {
  /** Runs the task once, no earlier than after so many nanoseconds. */
  void run(Runnable task, long nanos);

  /** A timer for tasks without results. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static TaskTimer of(ScheduledExecutorService timer) {
    return (task, nanos) -> timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
  }
}
