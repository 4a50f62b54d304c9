package io.canopygrid.gmu.node;

import io.canopygrid.engine.Pace;

/**
 * Time, waiting, chance and background work of a node: the machine's, or a simulation's, in which
 * the same seed gives the same run. What is built on a {@link GmuNode} takes all four from here.
 * Thread-safe.
 */
public interface NodeThreads extends Pace {
  /** What a node outside of a simulation has. */
  NodeThreads MACHINE = new MachineThreads();

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
