package io.canopygrid.gmu.simulation;

import org.jspecify.annotations.Nullable;

/** One answer that a task waits for. */
final class TaskCell<T> {
  private final Tasks tasks;
  private final EventQueue events;
  private @Nullable T value;
  private boolean abandoned;
  private Tasks.@Nullable Task waiter;

  TaskCell(Tasks tasks, EventQueue events) {
    this.tasks = tasks;
    this.events = events;
  }

  void complete(T answer) {
    if (value == null && !abandoned) {
      value = answer;
      wake();
    }
  }

  /** No answer will come. */
  void abandon() {
    abandoned = true;
    wake();
  }

  private void wake() {
    if (waiter != null) {
      tasks.wakeAfter(0, waiter);
    }
  }

  /** The answer; null past the deadline and where none will come. */
  @Nullable T await(long deadline) {
    if (value == null && !abandoned && deadline > events.now()) {
      Tasks.Task self = tasks.current();
      waiter = self;
      EventQueue.Event timeout = tasks.wakeAfter(deadline - events.now(), self);
      try {
        tasks.block(self);
      } finally {
        waiter = null;
        events.cancel(timeout);
      }
    }
    return value;
  }
}
