package io.canopygrid.it.balance;

import java.util.Arrays;
import java.util.Random;

/** Ranks by Zipf's law, the most probable first. Thread-safe. */
final class Zipf {
  private final double[] sums;

  Zipf(int ranks, double exponent) {
    sums = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += 1 / Math.pow(rank + 1, exponent);
      sums[rank] = sum;
    }
  }

  int next(Random random) {
    int at = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return Math.min(at < 0 ? ~at : at, sums.length - 1);
  }
}
