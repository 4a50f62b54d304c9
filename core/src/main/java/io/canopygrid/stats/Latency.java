package io.canopygrid.stats;

/**
 * The distribution of measured times, in nanoseconds; all 0 where nothing was measured. Percentiles
 * are upper bounds, at most 4 % too high.
 *
 * @param count how often it was measured
 * @param p50Nanos half of them took at most this long
 * @param p95Nanos 95 % of them took at most this long
 * @param p99Nanos 99 % of them took at most this long
 * @param maxNanos the longest
 */
public record Latency(long count, long p50Nanos, long p95Nanos, long p99Nanos, long maxNanos) {
  /** Nothing measured. */
  public static final Latency NONE = new Latency(0, 0, 0, 0, 0);
}
