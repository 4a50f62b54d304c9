package io.canopygrid.engine;

import io.canopygrid.CanopyStats.IndexStats;
import io.canopygrid.ErrorCode;
import java.util.concurrent.atomic.LongAdder;

/** The counts that a handle has of one index. Thread-safe. */
public final class IndexCounters {
  private final LongAdder commits = new LongAdder();
  private final LongAdder remoteRequests = new LongAdder();
  private final LongAdder redirects = new LongAdder();
  private final AbortCounts aborts = new AbortCounts();

  /** One more transaction that used it has committed. */
  public void committed() {
    commits.increment();
  }

  /** An attempt failed at one of its keys. */
  public void aborted(ErrorCode code) {
    aborts.count(code);
  }

  /** A request for its entries went to another node. */
  public void requested() {
    remoteRequests.increment();
  }

  /** An answer said that a key of it is elsewhere. */
  public void redirected() {
    redirects.increment();
  }

  /**
   * The counts so far.
   *
   * @param splits subtrees of it that this node has split
   */
  public IndexStats summary(long splits) {
    return new IndexStats(
        commits.sum(), aborts.summary(), remoteRequests.sum(), redirects.sum(), splits);
  }
}
