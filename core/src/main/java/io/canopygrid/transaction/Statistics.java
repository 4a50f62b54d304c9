package io.canopygrid.transaction;

import io.canopygrid.CanopyStats;
import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.stats.LatencyRecorder;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/** Counts of one handle. Thread-safe. */
public final class Statistics {
  /** Labels counted by themselves; later ones are counted together. */
  private static final int LABELS_MAX = 256;

  /** The name under which labels beyond the maximum are counted. */
  private static final String OTHER_LABELS = "(other)";

  private final Map<String, LabelCounters> byLabel = new ConcurrentHashMap<>();
  private final LatencyRecorder latency = new LatencyRecorder();

  /** The counters of a label. */
  public LabelCounters of(String label) {
    LabelCounters counters = byLabel.get(label);
    if (counters != null) {
      return counters;
    }
    String name = byLabel.size() < LABELS_MAX ? label : OTHER_LABELS;
    return byLabel.computeIfAbsent(name, any -> new LabelCounters());
  }

  public void committed(LabelCounters counters, EngineTransaction transaction, long nanos) {
    counters.committed(transaction, nanos);
    latency.record(nanos);
    transaction.countCommit();
  }

  /** A function has been run elsewhere. */
  public void executed(LabelCounters counters, FunctionResult result, long nanos) {
    counters.executed(result, nanos);
    latency.record(nanos);
  }

  public CanopyStats summary(Collection<OpenIndex> indexes) {
    Map<String, TransactionStats> labels = new HashMap<>();
    byLabel.forEach((label, counters) -> labels.put(label, counters.summary()));
    Map<String, IndexStats> byIndex = new HashMap<>();
    for (OpenIndex index : indexes) {
      byIndex.put(index.name(), index.stats());
    }
    return new CanopyStats(total(labels.values()), labels, byIndex);
  }

  /** The latencies of committed transactions, as {@link LatencyRecorder#counts}. */
  public SortedMap<Long, Long> latencyCounts() {
    return latency.counts();
  }

  private TransactionStats total(Collection<TransactionStats> labels) {
    long commits = 0;
    long attempts = 0;
    long remoteRequests = 0;
    long redirects = 0;
    Map<ErrorCode, Long> aborts = new EnumMap<>(ErrorCode.class);
    for (TransactionStats label : labels) {
      commits += label.commits();
      attempts += label.attempts();
      remoteRequests += label.remoteRequests();
      redirects += label.redirects();
      label.aborts().forEach((code, count) -> aborts.merge(code, count, Long::sum));
    }
    return new TransactionStats(
        commits, aborts, attempts, remoteRequests, redirects, latency.summary());
  }
}
