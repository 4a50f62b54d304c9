package io.canopygrid.ycsb.bench;

import io.canopygrid.ReadFrom;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The settings of a benchmark: what it measures and for how long.
 *
 * @param measurements the measurements, in order
 * @param threads client threads of the first round of warm-ups, before any measurement
 * @param records the records loaded before, 1 to {@value #RECORDS_MAX}
 * @param operations the operations of each measurement; 0: as many as take {@code seconds} at the
 *     warm-up's speed
 * @param seconds length of a measurement, above 0
 * @param warmupSeconds length of each warm-up, above 0
 * @param readFrom the copies that transactions read
 */
public record BenchSettings(
    List<WorkloadSpec> measurements,
    int threads,
    long records,
    long operations,
    double seconds,
    double warmupSeconds,
    ReadFrom readFrom) {
  /** The number of {@link #records} at most, since YCSB counts a thread's operations in an int. */
  static final long RECORDS_MAX = 1_000_000_000;

  /** The number of rounds of one list at most. */
  static final int ROUNDS_MAX = 1_000;

  /** The length of a measurement and of a warm-up at most. */
  static final double SECONDS_MAX = 86_400;

  public BenchSettings {
    measurements = List.copyOf(measurements);
    require(!measurements.isEmpty(), "there must be a workload");
    WorkloadSpec.requireThreads(threads);
    require(
        records >= 1 && records <= RECORDS_MAX,
        "records must be from 1 to " + RECORDS_MAX + ": records=" + records);
    require(
        operations >= 0 && operations <= RECORDS_MAX,
        "operations must be from 0 to " + RECORDS_MAX + ": operations=" + operations);
    requireSeconds("seconds", seconds);
    requireSeconds("warmup", warmupSeconds);
  }

  /** These settings with the list repeated so many times: 1 to {@value #ROUNDS_MAX}. */
  static List<WorkloadSpec> inRounds(List<WorkloadSpec> list, int rounds) {
    require(
        rounds >= 1 && rounds <= ROUNDS_MAX,
        "rounds must be from 1 to " + ROUNDS_MAX + ": rounds=" + rounds);
    return Collections.nCopies(rounds, list).stream().flatMap(List::stream).toList();
  }

  /**
   * The settings of all of YCSB's workloads, each for so many seconds.
   *
   * @param threads the client threads of each workload
   */
  public static BenchSettings ofAll(
      int threads, long records, double seconds, double warmupSeconds) {
    return new BenchSettings(
        WorkloadSpec.parseList("all", threads),
        threads,
        records,
        0,
        seconds,
        warmupSeconds,
        ReadFrom.PRIMARY);
  }

  /** The value of the binding's property. */
  String readFromProperty() {
    return readFrom.name().toLowerCase(Locale.ROOT);
  }

  private static void requireSeconds(String name, double value) {
    require(
        value > 0 && value <= SECONDS_MAX,
        name + " must be above 0 and at most " + SECONDS_MAX + ": " + name + "=" + value);
  }

  private static void require(boolean right, String otherwise) {
    if (!right) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
