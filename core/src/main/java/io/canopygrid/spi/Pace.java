package io.canopygrid.spi;

/** Time, waiting and chance: the machine's, or a simulation's. Thread-safe. */
public interface Pace {
  /** Outside of simulations. */
  Pace MACHINE = new MachinePace();

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
}
