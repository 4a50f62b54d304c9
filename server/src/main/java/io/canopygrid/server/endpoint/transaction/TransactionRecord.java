package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.serve.ServedTransaction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The course of a client's transaction, for the log. Confined to the tasks of its queue. */
final class TransactionRecord {
  private final TransactionLog log;
  private final String label;
  private long beganNanos;
  private long taskBeganNanos;
  private long busyNanos;
  private long commitNanos;
  private int requests;
  private boolean committed;
  private @Nullable CanopyException failure;

  TransactionRecord(TransactionLog log, String label) {
    this.log = log;
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
  <T> T commit(Supplier<T> commit) {
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
   * Logs the end of the transaction where it is worth a line; within a task.
   *
   * @param client the user and address
   * @param asIntended whether the transaction is read-only and its client has ended it
   * @param why the reason for which the server ended it; empty: its client did
   */
  void ended(
      ServedTransaction transaction, Supplier<String> client, boolean asIntended, String why) {
    long now = System.nanoTime();
    boolean aborted = !committed && (failure != null || !why.isEmpty());
    // Most are neither slow nor aborted, and their names need not be made.
    if (aborted) {
      log.aborted(record(transaction, client, now), failure, why);
    } else if ((committed || asIntended) && log.isSlow(now - beganNanos)) {
      log.ended(record(transaction, client, now));
    }
  }

  private TransactionLog.Ended record(
      ServedTransaction transaction, Supplier<String> client, long now) {
    return new TransactionLog.Ended(
        transaction.id(),
        "",
        label,
        client.get(),
        requests,
        transaction.remoteRequests(),
        now - beganNanos,
        busyNanos + (now - taskBeganNanos) - commitNanos,
        commitNanos);
  }
}
