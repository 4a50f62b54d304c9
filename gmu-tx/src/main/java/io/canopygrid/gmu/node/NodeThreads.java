package io.canopygrid.gmu.node;

/**
 * Time, waiting, chance and background work of a node: the machine's, or a simulation's, in which
 * the same seed gives the same run. What is built on a {@link GmuNode} takes all four from here.
 * Thread-safe.
 */
public interface NodeThreads {
  /** What a node outside of a simulation has. */
  NodeThreads MACHINE = new MachineThreads();

  /** The time, in nanoseconds from some origin; only differences mean something. */
  long nanoTime();

  /** Blocks the calling thread for about so long, shorter where it is interrupted. */
  void sleep(long nanos);

  /**
   * A number from 0 to {@code bound - 1}, at random.
   *
   * @param bound at least 1
   */
  long random(long bound);

  /**
   * A thread of its own that runs tasks one after the other.
   *
   * @param waitingMax most tasks that wait for it, at least 1
   */
  Worker worker(String name, int waitingMax);

  /** Runs tasks one after the other. Thread-safe. */
  interface Worker {
    /** Runs a task, later; false where too many wait already and where this is closed. */
    boolean submit(Runnable task);

    /** Whether {@link #close} was called. */
    boolean isClosed();

    /** Drops what waits, and lets the task under way end: after this time it is interrupted. */
    void close(long millis);
  }
}
