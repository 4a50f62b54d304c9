package io.canopygrid.ycsb.bench;

import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.inference.TestUtils;

/**
 * Compares two samples of one quantity.
 *
 * @param change the change from the first mean to the second, relative to the first
 * @param significance the probability of at least such a difference if the samples differed by
 *     noise only (Welch's t-test, two-sided)
 */
record Comparison(Sample first, Sample second, double change, double significance) {
  static Comparison of(Sample first, Sample second) {
    return new Comparison(
        first, second, second.mean() / first.mean() - 1, significance(first, second));
  }

  private static double significance(Sample first, Sample second) {
    if (StatUtils.variance(first.values()) == 0 && StatUtils.variance(second.values()) == 0) {
      return first.mean() == second.mean() ? 1 : 0;
    }
    return TestUtils.tTest(first.values(), second.values());
  }

  /** {@code better}, {@code worse}, or {@code same} where noise may explain the difference. */
  String verdict(double confidence) {
    if (significance > 1 - confidence) {
      return "same";
    }
    return change > 0 == first.moreIsBetter() ? "better" : "worse";
  }
}
