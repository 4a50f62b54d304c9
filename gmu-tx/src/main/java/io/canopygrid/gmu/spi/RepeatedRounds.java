package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.spi.NodeThreads.Worker;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A chore of a node that runs in rounds, on a thread of its own from {@link #start} to {@link
 * #close}. Thread-safe.
 */
public final class RepeatedRounds implements AutoCloseable {
  /** The time that the round under way has to end by itself. */
  private static final long CLOSE_MILLIS = 1_000;

  private final NodeThreads threads;
  private final String name;
  private @Nullable Worker worker;

  /**
   * A chore that does not run yet.
   *
   * @param name of its thread
   */
  public RepeatedRounds(NodeThreads threads, String name) {
    this.threads = threads;
    this.name = name;
  }

  /** Begins, as in {@link Worker#repeat}; does nothing the second time. */
  public synchronized void start(
      Worker.Round round, LongSupplier pauseNanos, Consumer<Exception> failed) {
    if (worker == null) {
      Worker own = threads.worker(name, 1);
      worker = own;
      own.repeat(round, pauseNanos, failed);
    }
  }

  /** Whether it was started and closed. */
  public synchronized boolean isClosed() {
    return worker != null && worker.isClosed();
  }

  @Override
  public void close() {
    Worker running;
    synchronized (this) {
      running = worker;
    }
    if (running != null) {
      running.close(CLOSE_MILLIS);
    }
  }
}
