package io.canopygrid.gmu.simulation;

import java.util.ArrayList;
import java.util.List;

/** A small generator (SplitMix64): the same seed gives the same numbers, on every JDK. */
public final class SeededRandom {
  private long state;

  public SeededRandom(long seed) {
    state = seed;
  }

  public long nextLong() {
    state += 0x9E3779B97F4A7C15L;
    long z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** From 0 to {@code bound - 1}. */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(nextLong() >>> 16, bound);
  }

  /** From {@code low} to {@code high}, both included. */
  public int between(int low, int high) {
    return low + below(high - low + 1);
  }

  /** True with this probability. */
  public boolean chance(double probability) {
    return (nextLong() >>> 11) * 0x1.0p-53 < probability;
  }

  /** One of these. */
  public int oneOf(int... choices) {
    return choices[below(choices.length)];
  }

  /** One of these. */
  public double oneOf(double... choices) {
    return choices[below(choices.length)];
  }

  /** One of these. */
  public <T> T oneOf(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  /** So many different ones of these, in random order. */
  public <T> List<T> sample(List<T> choices, int count) {
    List<T> rest = new ArrayList<>(choices);
    List<T> sample = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sample.add(rest.remove(below(rest.size())));
    }
    return sample;
  }
}
