package io.canopygrid.micrometer;

import io.canopygrid.CanopyStats;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.stats.Latency;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The counts of transactions: of a handle, or of what a server's clients begin. */
public final class TransactionFigures {
  private TransactionFigures() {}

  /**
   * Adds them.
   *
   * @param stats the counts as they are now
   */
  public static void add(Meters meters, Supplier<CanopyStats> stats) {
    count(meters, stats, "commits", "Committed transactions", TransactionStats::commits);
    count(meters, stats, "attempts", "Begun transactions", TransactionStats::attempts);
    count(
        meters,
        stats,
        "remote.requests",
        "Requests to other nodes",
        TransactionStats::remoteRequests);
    count(meters, stats, "redirects", "Requests to a node of old", TransactionStats::redirects);
    for (ErrorCode code : ErrorCode.values()) {
      if (isOfTransactions(code)) {
        meters.counter(
            "canopy.transactions.aborts",
            "Aborted transactions",
            () -> stats.get().total().aborts().getOrDefault(code, 0L),
            "code",
            code.id());
      }
    }
    latency(meters, stats, "0.5", Latency::p50Nanos);
    latency(meters, stats, "0.95", Latency::p95Nanos);
    latency(meters, stats, "0.99", Latency::p99Nanos);
    latency(meters, stats, "1", Latency::maxNanos);
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

  private static void count(
      Meters meters,
      Supplier<CanopyStats> stats,
      String name,
      String description,
      ToLongFunction<TransactionStats> value) {
    meters.counter(
        "canopy.transactions." + name, description, () -> value.applyAsLong(stats.get().total()));
  }

  private static void latency(
      Meters meters, Supplier<CanopyStats> stats, String quantile, ToLongFunction<Latency> nanos) {
    meters.time(
        "canopy.transactions.latency",
        "How long committed transactions took since the start",
        () -> nanos.applyAsLong(stats.get().total().latency()),
        "quantile",
        quantile);
  }
}
