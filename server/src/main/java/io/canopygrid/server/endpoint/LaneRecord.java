package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.serve.ServedTransaction;
import org.jspecify.annotations.Nullable;

/** What a transaction of a client went through, for the log. Confined to its lane. */
final class LaneRecord {
  private final String label;
  private long beganNanos;
  private long taskBeganNanos;
  private long busyNanos;
  private long commitNanos;
  private int requests;
  private boolean committed;
  private @Nullable CanopyException failure;

  LaneRecord(String label) {
    this.label = label;
  }

  void taskBegan() {
    taskBeganNanos = System.nanoTime();
    if (beganNanos == 0) {
      beganNanos = taskBeganNanos;
    }
  }

  void taskEnded() {
    busyNanos += System.nanoTime() - taskBeganNanos;
  }

  void requested() {
    requests++;
  }

  /** Runs the commit. */
  <T> T commit(java.util.function.Supplier<T> commit) {
    long before = System.nanoTime();
    try {
      T result = commit.get();
      committed = true;
      return result;
    } finally {
      commitNanos = System.nanoTime() - before;
    }
  }

  void failed(CanopyException e) {
    failure = e;
  }

  /**
   * Logs what there is to say; within a task.
   *
   * @param asIntended whether it is read-only and has come to its end
   * @param why why the server ended it; empty: its client did
   */
  void ended(
      ServedTransaction transaction, ClientConnection connection, boolean asIntended, String why) {
    TransactionLog log = connection.log();
    long now = System.nanoTime();
    TransactionLog.Ended ended =
        new TransactionLog.Ended(
            transaction.id(),
            "",
            label,
            connection.client(),
            requests,
            transaction.remoteRequests(),
            now - beganNanos,
            busyNanos + (now - taskBeganNanos) - commitNanos,
            commitNanos);
    if (committed) {
      log.ended(ended);
    } else if (failure != null || !why.isEmpty()) {
      log.aborted(ended, failure, why);
    } else if (asIntended) {
      log.ended(ended);
    }
  }
}
