package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads of a simulation, for code that blocks. One at a time holds the baton and runs; a task
 * that blocks runs the simulation's events itself, on its own stack, until one of them wakes a
 * task: if that is another one, it hands over the baton. So a run has one order of steps, that of
 * the events, and a switch costs one hand-over at most.
 */
final class Tasks {
  private final EventQueue events;

  /** Runs the next event; false: there is none. */
  private final BooleanSupplier step;

  private final Task main = new Task("main", () -> {});
  private final List<Task> tasks = new ArrayList<>();
  private volatile Task holder = main;

  /** The task that the event that just ran has woken. */
  private @Nullable Task woken;

  private @Nullable Throwable failure;

  private final AtomicLong steps = new AtomicLong();

  /** A thread that has used a node and is none of these; null: none has. */
  private volatile @Nullable String stranger;

  /** The thread that runs the simulation. */
  private @Nullable Thread mainThread;

  /** The run has ended: a task that is resumed unwinds. */
  private boolean over;

  private boolean inEvent;

  Tasks(EventQueue events, BooleanSupplier step) {
    this.events = events;
    this.step = step;
  }

  /** Unwinds a task at the end of a run. */
  private static final class Unwound extends Error {
    private static final long serialVersionUID = 1;

    Unwound() {
      super("the run has ended", null, false, false);
    }
  }

  /** A thread. */
  final class Task {
    final String name;
    private final Runnable body;
    private volatile @Nullable Thread thread;
    private boolean finished;

    /** Which of its waits this is, so that no late wake-up ends another one. */
    private long waits;

    private boolean waiting;

    /** The clock of its last commit that was told, until it is taken. */
    @Nullable VectorClock committed;

    private Task(String name, Runnable body) {
      this.name = name;
      this.body = body;
    }

    private void run() {
      awaitBaton(this);
      try {
        if (!over) {
          body.run();
        }
      } catch (Unwound e) {
        Invariant.holds(over, "only the end of a run unwinds a task: %s", name);
      } catch (Throwable e) {
        failure = failure == null ? e : failure;
      }
      finished = true;
      if (over || failure != null) {
        give(main);
      } else {
        loop(this);
      }
    }
  }

  /** The task that runs now. */
  Task current() {
    Invariant.holds(!inEvent, "an event does not block: %s", holder.name);
    return holder;
  }

  /**
   * Refuses a thread that some task has started itself: nobody knows when its steps come.
   *
   * @throws IllegalStateException where the thread is none of these
   */
  void requireOwnThread() {
    Thread own = runningThread();
    Thread caller = Thread.currentThread();
    if (own != null && !own.equals(caller)) {
      stranger = caller.getName();
      throw new IllegalStateException(
          "a simulated node is used by its clients' own threads only, and not by "
              + caller.getName());
    }
  }

  /** The thread of the task that runs; null: none does. Any thread may ask. */
  @Nullable Thread runningThread() {
    return holder.thread;
  }

  /** The number of events so far. Any thread may ask. */
  long steps() {
    return steps.get();
  }

  /** The name of a thread that was refused; null: none was. */
  @Nullable String stranger() {
    return stranger;
  }

  /** Starts a task, with an event of its own. */
  Task spawn(String name, long delay, Runnable body) {
    Task task = new Task(name, body);
    tasks.add(task);
    task.waiting = true;
    wakeAfter(delay, task);
    return task;
  }

  /** Blocks the current task until something wakes it. */
  void block(Task self) {
    if (over) {
      throw new Unwound();
    }
    self.waiting = true;
    loop(self);
    if (over) {
      throw new Unwound();
    }
  }

  /** Blocks the current task for a time. */
  void sleep(long units) {
    Task self = current();
    wakeAfter(units, self);
    block(self);
  }

  /** Wakes a task after a time, if it is in the same wait by then; the event. */
  EventQueue.Event wakeAfter(long delay, Task task) {
    long wait = task.waits;
    return events.after(
        delay,
        () -> {
          if (task.waiting && task.waits == wait) {
            task.waiting = false;
            task.waits++;
            woken = task;
          }
        });
  }

  /** Runs all events and tasks; then ends those that still wait. */
  void runAll() {
    mainThread = Thread.currentThread();
    loop(main);
    over = true;
    for (Task task : List.copyOf(tasks)) {
      if (!task.finished && task.thread != null) {
        give(task);
        awaitBaton(main);
      }
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  private void loop(Task self) {
    Task to = null;
    while (to == null) {
      to = next();
    }
    if (to != self) {
      give(to);
      if (!self.finished) {
        awaitBaton(self);
      }
    }
  }

  /** The task that one more event wakes; null: none. */
  private @Nullable Task next() {
    inEvent = true;
    try {
      if (failure != null || !step.getAsBoolean()) {
        return main;
      }
      steps.lazySet(steps.getPlain() + 1);
      Task to = woken;
      woken = null;
      return to;
    } catch (Throwable e) {
      failure = e;
      return main;
    } finally {
      inEvent = false;
    }
  }

  private void give(Task to) {
    holder = to;
    Thread thread = to.thread;
    if (to == main) {
      LockSupport.unpark(mainThread);
    } else if (thread == null) {
      thread = new Thread(to::run, "simulated " + to.name);
      thread.setDaemon(true);
      to.thread = thread;
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
  }

  private void awaitBaton(Task self) {
    while (holder != self) {
      LockSupport.park(this);
    }
  }
}
