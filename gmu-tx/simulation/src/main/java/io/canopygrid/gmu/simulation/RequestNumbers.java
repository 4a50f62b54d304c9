package io.canopygrid.gmu.simulation;

/** The numbers of a run's reads; each is given once. */
final class RequestNumbers {
  private long last;

  /** The first of so many new numbers in a row. */
  long next(int count) {
    last += count;
    return last - count + 1;
  }
}
