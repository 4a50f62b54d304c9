package io.canopygrid.transaction;

import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.engine.AbortCounts;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.stats.LatencyRecorder;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the transactions with one label. Thread-safe. */
public final class LabelCounters {
  private final LongAdder attempts = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder remoteRequests = new LongAdder();
  private final LongAdder redirects = new LongAdder();
  private final AbortCounts aborts = new AbortCounts();
  private final LatencyRecorder latency = new LatencyRecorder();

  public void attempted() {
    attempts.increment();
  }

  public void committed(EngineTransaction transaction, long nanos) {
    commits.increment();
    latency.record(nanos);
    addRequests(transaction);
  }

  public void aborted(EngineTransaction transaction, ErrorCode code) {
    aborts.count(code);
    addRequests(transaction);
  }

  /** A function has been run elsewhere. */
  void executed(FunctionResult result, long nanos) {
    commits.increment();
    latency.record(nanos);
    remoteRequests.add(result.remoteRequests());
    redirects.add(result.redirects());
  }

  /** A function has failed elsewhere. */
  public void failed(ErrorCode code) {
    aborts.count(code);
  }

  /** Ended without a commit by the caller. */
  public void abandoned(EngineTransaction transaction) {
    addRequests(transaction);
  }

  private void addRequests(EngineTransaction transaction) {
    if (transaction.remoteRequests() > 0) {
      remoteRequests.add(transaction.remoteRequests());
    }
    if (transaction.redirects() > 0) {
      redirects.add(transaction.redirects());
    }
  }

  TransactionStats summary() {
    return new TransactionStats(
        commits.sum(),
        aborts.summary(),
        attempts.sum(),
        remoteRequests.sum(),
        redirects.sum(),
        latency.summary());
  }
}
