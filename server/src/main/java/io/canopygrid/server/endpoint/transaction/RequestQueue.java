package io.canopygrid.server.endpoint.transaction;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The requests of one transaction. The requests are carried out one after the other, in the order
 * in which they came, by any worker that is free, or by the event loop where that need not wait.
 * While the client does not take its answers, none is carried out. Thread-safe.
 */
final class RequestQueue {
  /** After so many requests in a row other queues have their turn. */
  private static final int TURN = 16;

  private final ClientLink client;
  private final TransactionRecord record;
  private final Queue<Waiting> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  /** Whether tasks have waited for the client to take its answers; for the tasks of this queue. */
  private boolean wasParked;

  /** A task that came at a time of {@link System#nanoTime}. */
  private record Waiting(Runnable task, long cameNanos) {}

  /** An empty queue, which notes in the record when its tasks begin and end. */
  RequestQueue(ClientLink client, TransactionRecord record) {
    this.client = client;
    this.record = record;
  }

  /** Adds a task. */
  void submit(Runnable task) {
    tasks.add(new Waiting(task, System.nanoTime()));
    if (size.getAndIncrement() == 0) {
      client.schedule(this::run);
    }
  }

  /**
   * Carries out a task at once, on the event loop, where no other one waits or is carried out.
   *
   * @param task must not block; whether it is done
   * @return whether it is done; else it has to be submitted
   */
  boolean tryNow(BooleanSupplier task) {
    if (!client.takesAnswers() || !size.compareAndSet(0, 1)) {
      return false;
    }
    try {
      record.taskBegan(System.nanoTime());
      boolean done = task.getAsBoolean();
      record.taskEnded();
      return done;
    } finally {
      if (size.decrementAndGet() > 0) {
        client.schedule(this::run);
      }
    }
  }

  private void run() {
    for (int turn = 0; turn < TURN; turn++) {
      boolean before = wasParked;
      wasParked = true; // as soon as the client keeps it another thread may run it
      if (client.park(this::run)) {
        return;
      }
      wasParked = before;
      Waiting next = tasks.poll();
      if (next != null) {
        record.taskBegan(wasParked ? System.nanoTime() : next.cameNanos());
        wasParked = false;
        next.task().run();
        record.taskEnded();
      }
      if (size.decrementAndGet() == 0) {
        return;
      }
    }
    client.schedule(this::run);
  }
}
