package io.canopygrid.server.endpoint.traces;

import io.opentelemetry.api.trace.SpanContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last traced transaction of each bucket of latencies, which a histogram shows as an example.
 * Thread-safe.
 */
public final class TracedLatencies {
  private static final List<Double> BOUNDS =
      List.of(
          0.0001,
          0.00025,
          0.0005,
          0.001,
          0.0025,
          0.005,
          0.01,
          0.025,
          0.05,
          0.1,
          0.25,
          0.5,
          1.0,
          2.5,
          5.0,
          10.0,
          Double.POSITIVE_INFINITY);

  private final AtomicReferenceArray<Example> last = new AtomicReferenceArray<>(BOUNDS.size());

  /**
   * A transaction of a trace.
   *
   * @param nanos how long it took
   * @param atMillis when it ended, since 1970
   */
  public record Example(String traceId, String spanId, long nanos, long atMillis) {
    /** The same in seconds. */
    public double seconds() {
      return nanos / 1e9;
    }
  }

  /** The greatest latency of each bucket in seconds, in ascending order; the last is infinite. */
  public static List<Double> bounds() {
    return BOUNDS;
  }

  /** The bucket of a latency, from 0 on. */
  public static int bucketOf(long nanos) {
    double seconds = (double) nanos / TimeUnit.SECONDS.toNanos(1);
    int bucket = 0;
    while (seconds > BOUNDS.get(bucket)) {
      bucket++;
    }
    return bucket;
  }

  void add(SpanContext span, long nanos) {
    last.set(
        bucketOf(nanos),
        new Example(span.getTraceId(), span.getSpanId(), nanos, System.currentTimeMillis()));
  }

  /** The last one of each bucket that has one. */
  public List<Example> all() {
    List<Example> all = new ArrayList<>();
    for (int bucket = 0; bucket < last.length(); bucket++) {
      Example example = last.get(bucket);
      if (example != null) {
        all.add(example);
      }
    }
    return all;
  }
}
