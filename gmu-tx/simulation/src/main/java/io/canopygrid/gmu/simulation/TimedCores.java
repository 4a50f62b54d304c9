package io.canopygrid.gmu.simulation;

/** A few servers with one queue: work begins when one of them is free, in the order it comes. */
final class TimedCores {
  private final long[] freeAt;
  private long busy;

  TimedCores(int count) {
    freeAt = new long[count];
  }

  /** When work that is there at a time and takes so long is done. */
  long reserve(long from, long nanos) {
    int first = 0;
    for (int i = 1; i < freeAt.length; i++) {
      if (freeAt[i] < freeAt[first]) {
        first = i;
      }
    }
    freeAt[first] = Math.max(from, freeAt[first]) + nanos;
    busy += nanos;
    return freeAt[first];
  }

  /** All work so far. */
  long busy() {
    return busy;
  }
}
