package io.canopygrid.server.endpoint.metrics;

import io.canopygrid.CanopyStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.stats.Latency;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The metrics of the transactions that clients began at a node. */
record TransactionMetrics(ServedNode node, TransactionLog log) implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "commits", "Committed transactions of clients", s -> s.total().commits());
    counter(registry, "attempts", "Begun transactions of clients", s -> s.total().attempts());
    counter(
        registry, "remote.requests", "Requests to other nodes", s -> s.total().remoteRequests());
    counter(registry, "redirects", "Requests to a node of old", s -> s.total().redirects());
    for (ErrorCode code : ErrorCode.values()) {
      if (isOfTransactions(code)) {
        FunctionCounter.builder(
                "canopy.transactions.aborts",
                node,
                n -> n.stats().total().aborts().getOrDefault(code, 0L))
            .tag("code", code.id())
            .description("Aborted transactions of clients")
            .register(registry);
      }
    }
    latency(registry, "0.5", Latency::p50Nanos);
    latency(registry, "0.95", Latency::p95Nanos);
    latency(registry, "0.99", Latency::p99Nanos);
    latency(registry, "1", Latency::maxNanos);
    FunctionCounter.builder("canopy.transactions.slow", log, TransactionLog::slow)
        .description("Transactions that took longer than logging.slowTransactions")
        .register(registry);
    FunctionCounter.builder("canopy.transactions.unlogged", log, TransactionLog::leftOut)
        .description("Slow and aborted transactions that were too many to log")
        .register(registry);
  }

  /** Whether a commit may end with a code: of transactions, or of a cluster that cannot be used. */
  private static boolean isOfTransactions(ErrorCode code) {
    int group = code.number() / 1_000;
    return group == 2
        || code == ErrorCode.SHARD_UNAVAILABLE
        || code == ErrorCode.DISK_FULL
        || code == ErrorCode.DISK_SLOW
        || code == ErrorCode.INTERNAL_ERROR;
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<CanopyStats> value) {
    FunctionCounter.builder(
            "canopy.transactions." + name, node, n -> value.applyAsDouble(n.stats()))
        .description(description)
        .register(registry);
  }

  private void latency(MeterRegistry registry, String quantile, ToLongFunction<Latency> nanos) {
    TimeGauge.builder(
            "canopy.transactions.latency",
            node,
            TimeUnit.NANOSECONDS,
            n -> nanos.applyAsLong(n.stats().total().latency()))
        .tag("quantile", quantile)
        .description("How long committed transactions of clients took since the start")
        .register(registry);
  }
}
