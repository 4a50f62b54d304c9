package io.canopygrid.server.endpoint.metrics;

import io.canopygrid.server.endpoint.traces.TracedLatencies;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * The latencies of committed transactions as a histogram of Prometheus, with the last traced
 * transaction of each bucket as its exemplar. It is made of counts that are kept anyway, so a
 * transaction costs nothing more. Thread-safe.
 */
final class LatencyHistogram implements Collector {
  static final String NAME = "canopy_transactions_duration_seconds";

  private final Supplier<SortedMap<Long, Long>> counts;
  private final Supplier<List<TracedLatencies.Example>> examples;

  /**
   * A histogram.
   *
   * @param counts by the greatest latency in nanoseconds of narrow buckets
   * @param examples of the wide ones
   */
  LatencyHistogram(
      Supplier<SortedMap<Long, Long>> counts, Supplier<List<TracedLatencies.Example>> examples) {
    this.counts = counts;
    this.examples = examples;
  }

  @Override
  public String getPrometheusName() {
    return NAME;
  }

  @Override
  public MetricSnapshot collect() {
    Long[] wide = new Long[TracedLatencies.bounds().size()];
    Arrays.fill(wide, 0L);
    counts.get().forEach((nanos, count) -> wide[TracedLatencies.bucketOf(nanos)] += count);
    return HistogramSnapshot.builder()
        .name(NAME)
        .help("How long committed transactions took since the start")
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(
                    ClassicHistogramBuckets.of(TracedLatencies.bounds(), List.of(wide)))
                .exemplars(exemplars())
                .build())
        .build();
  }

  private Exemplars exemplars() {
    return Exemplars.of(examples.get().stream().map(LatencyHistogram::exemplar).toList());
  }

  private static Exemplar exemplar(TracedLatencies.Example example) {
    return Exemplar.builder()
        .value(example.seconds())
        .traceId(example.traceId())
        .spanId(example.spanId())
        .timestampMillis(example.atMillis())
        .build();
  }
}
