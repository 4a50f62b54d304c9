package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.stats.Latency;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The counts of a handle, under the names that a server has for those of its clients. */
record HandleMetrics(Canopy canopy) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "commits", "Committed transactions", s -> s.commits());
    counter(registry, "attempts", "Begun transactions", s -> s.attempts());
    counter(registry, "remote.requests", "Requests to other nodes", s -> s.remoteRequests());
    counter(registry, "redirects", "Requests to a node of old", s -> s.redirects());
    for (ErrorCode code : ErrorCode.values()) {
      if (isOfTransactions(code)) {
        FunctionCounter.builder(
                "canopy.transactions.aborts",
                canopy,
                c -> c.stats().total().aborts().getOrDefault(code, 0L))
            .tag("code", code.id())
            .description("Aborted transactions")
            .register(registry);
      }
    }
    latency(registry, "0.5", Latency::p50Nanos);
    latency(registry, "0.95", Latency::p95Nanos);
    latency(registry, "0.99", Latency::p99Nanos);
    latency(registry, "1", Latency::maxNanos);
  }

  /** Whether a commit may end with a code: of transactions, or of a cluster that cannot be used. */
  private static boolean isOfTransactions(ErrorCode code) {
    int group = code.number() / 1_000;
    return group == 2
        || code == ErrorCode.SHARD_UNAVAILABLE
        || code == ErrorCode.NOT_CONNECTED
        || code == ErrorCode.DISK_FULL
        || code == ErrorCode.DISK_SLOW
        || code == ErrorCode.INTERNAL_ERROR;
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<CanopyStats.TransactionStats> value) {
    FunctionCounter.builder(
            "canopy.transactions." + name, canopy, c -> value.applyAsDouble(c.stats().total()))
        .description(description)
        .register(registry);
  }

  private void latency(MeterRegistry registry, String quantile, ToLongFunction<Latency> nanos) {
    TimeGauge.builder(
            "canopy.transactions.latency",
            canopy,
            TimeUnit.NANOSECONDS,
            c -> nanos.applyAsLong(c.stats().total().latency()))
        .tag("quantile", quantile)
        .description("How long committed transactions took since the start")
        .register(registry);
  }
}
