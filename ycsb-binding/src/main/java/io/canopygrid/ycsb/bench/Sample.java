package io.canopygrid.ycsb.bench;

import java.util.Arrays;

/**
 * Measured values of one thing, independent of each other.
 *
 * @param unit as the file says
 * @param moreIsBetter whether a greater value is the better one
 * @param values at least {@value #VALUES_MIN}
 */
record Sample(String unit, boolean moreIsBetter, double[] values) {
  /** Fewer say nothing of how much they vary. */
  static final int VALUES_MIN = 3;

  double mean() {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }
}
