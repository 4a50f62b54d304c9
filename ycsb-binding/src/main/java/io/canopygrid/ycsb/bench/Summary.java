package io.canopygrid.ycsb.bench;

import io.canopygrid.ycsb.bench.BenchResult.Kind;
import io.canopygrid.ycsb.bench.BenchResult.Percentiles;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/** YCSB's measurements of one phase, as YCSB exports them: by metric and measurement. */
final class Summary implements MeasurementsExporter {
  private static final String RETURN = " Return=";

  private final Map<String, Long> values = new HashMap<>();

  static Summary of(Measurements measurements) throws IOException {
    Summary summary = new Summary();
    measurements.exportMeasurements(summary);
    return summary;
  }

  /** The latencies of successful operations, by kind; a kind without any is left out. */
  Map<Kind, Percentiles> latencies() {
    Map<Kind, Percentiles> latencies = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      String prefix = kind.ycsbName() + " ";
      Long p50 = values.get(prefix + "50thPercentileLatency(us)");
      Long p95 = values.get(prefix + "95thPercentileLatency(us)");
      Long p99 = values.get(prefix + "99thPercentileLatency(us)");
      Long p999 = values.get(prefix + "99.9PercentileLatency(us)");
      boolean any = values.getOrDefault(prefix + "Operations", 0L) > 0;
      if (any && p50 != null && p95 != null && p99 != null && p999 != null) {
        latencies.put(kind, new Percentiles(p50, p95, p99, p999));
      }
    }
    return latencies;
  }

  /**
   * The number of operations that did not end OK, including those that YCSB counts as successes.
   */
  long errors() {
    return failures().values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number of times that each operation ended with each status other than OK. */
  Map<String, Long> failures() {
    Map<String, Long> failures = new HashMap<>();
    values.forEach((name, count) -> {
      if (name.contains(RETURN) && !name.endsWith(RETURN + "OK")) {
        failures.put(name.replace(RETURN, " "), count);
      }
    });
    return failures;
  }

  @Override
  public void write(String metric, String measurement, int value) {
    write(metric, measurement, (long) value);
  }

  @Override
  public void write(String metric, String measurement, long value) {
    values.put(metric + " " + measurement, value);
  }

  @Override
  public void write(String metric, String measurement, double value) {
    write(metric, measurement, (long) value);
  }

  /** Does nothing, since nothing is open. */
  @Override
  public void close() {}
}
