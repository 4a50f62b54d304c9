package io.canopygrid.gmu.spi;

import io.canopygrid.engine.Pace;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Time, waiting, chance and background work of a node: the machine's, or a simulation's, in which
 * the same seed gives the same run. Everything that is built on a node takes all four from here.
 *
 * <p><b>Threads:</b> any thread may call. <b>Order:</b> a worker runs its tasks in the order in
 * which they were submitted. <b>Durability:</b> tasks that wait are lost with the process.
 * <b>Errors:</b> a task must not throw.
 */
public interface NodeThreads extends Pace {
  /**
   * A thread of its own that runs tasks one after the other.
   *
   * @param waitingMax most tasks that wait for it, at least 1
   */
  Worker worker(String name, int waitingMax);

  /**
   * Threads that run tasks beside each other.
   *
   * @param threadsMax most tasks that run at the same time
   * @param waitingMax most tasks that wait for a thread, at least 1
   */
  Pool pool(String name, int threadsMax, int waitingMax);

  /** Runs tasks beside each other. Thread-safe. */
  interface Pool {
    /** Runs a task, later; false where too many tasks wait already, and after the close. */
    boolean submit(Runnable task);

    /** Drops the tasks that wait, and interrupts those under way. */
    void close();
  }

  /** Runs tasks one after the other. Thread-safe. */
  interface Worker {
    /** Runs a task, later; false where too many tasks wait already, and after the close. */
    boolean submit(Runnable task);

    /**
     * Runs rounds until {@link #close}, with a pause after each. A round that fails is told, unless
     * that is by the close, and does not stop the others.
     */
    default void repeat(Round round, LongSupplier pauseNanos, Consumer<Exception> failed) {
      submit(() -> {
        while (!isClosed()) {
          try {
            round.run();
          } catch (TimeoutException | RuntimeException e) {
            if (!isClosed()) {
              failed.accept(e);
            }
          }
          if (!isClosed()) {
            sleep(pauseNanos.getAsLong());
          }
        }
      });
    }

    /** Whether {@link #close} was called. */
    boolean isClosed();

    /** Blocks the task that runs for about so long, and no longer than to {@link #close}. */
    void sleep(long nanos);

    /** One of several that are alike. */
    interface Round {
      void run() throws TimeoutException;
    }

    /** Drops the tasks that wait. The task under way may end; it is interrupted after this time. */
    void close(long millis);
  }
}
