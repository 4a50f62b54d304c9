package io.canopygrid.ycsb.bench;

import java.util.Arrays;

/**
 * Measured values of one quantity, independent of each other.
 *
 * @param unit the unit as the file has it
 * @param moreIsBetter whether a greater value is better
 * @param values the values, at least {@value #VALUES_MIN}
 */
record Sample(String unit, boolean moreIsBetter, double[] values) {
  /** The number of values at least; fewer do not show how much they vary. */
  static final int VALUES_MIN = 3;

  double mean() {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }
}
