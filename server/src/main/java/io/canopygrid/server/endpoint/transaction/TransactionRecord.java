package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.explain.ExplainedTransactions;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import io.canopygrid.server.endpoint.traces.ServerSpan;
import io.canopygrid.server.endpoint.traces.ServerSpans;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The course of a client's transaction, for the log and its trace. Confined to the tasks of its
 * queue.
 */
final class TransactionRecord {
  /** A shorter wait between two requests is no step of its own. */
  private static final long WAIT_NANOS_LEAST = 20_000;

  private final TransactionLog log;
  private final @Nullable ServerSpans spans;
  private final String label;
  private final @Nullable ExplainedTransactions explained;
  private @Nullable Explanation explanation;
  private long taskEndedNanos;
  private long beganNanos;
  private long taskBeganNanos;
  private long queuedNanos;
  private long busyNanos;
  private long commitNanos;
  private int requests;
  private boolean committed;
  private @Nullable CanopyException failure;

  /** Null: nothing of it is traced. */
  private @Nullable ServerSpan span;

  private long requestBeganNanos;

  /**
   * The record of a transaction that begins with its first task.
   *
   * @param explained where its steps may be recorded, too; null: who makes this does that
   */
  TransactionRecord(
      TransactionService service, String label, @Nullable ExplainedTransactions explained) {
    this.log = service.log();
    this.spans = service.spans();
    this.label = label;
    this.explained = explained;
  }

  /** Where the steps of the transaction are recorded; null: nowhere. */
  @Nullable Explanation explanation() {
    return explanation;
  }

  /**
   * A task begins now.
   *
   * @param askedNanos when its client asked for it: between that and now all threads were busy, or
   *     the task before it was carried out
   */
  void taskBegan(long askedNanos) {
    taskBeganNanos = System.nanoTime();
    long queuedFrom = askedNanos;
    if (beganNanos == 0) {
      beganNanos = askedNanos;
      explanation = explained == null ? null : explained.sample(label, taskBeganNanos);
    } else {
      queuedFrom = askedNanos - taskEndedNanos < 0 ? taskEndedNanos : askedNanos;
      waited("waited for its client", taskEndedNanos, queuedFrom);
      waited("waited for a thread of the server", queuedFrom, taskBeganNanos);
    }
    queuedNanos += taskBeganNanos - queuedFrom;
  }

  private void waited(String what, long beganNanos, long endedNanos) {
    if (explanation != null && endedNanos - beganNanos >= WAIT_NANOS_LEAST) {
      explanation.add(StepKind.WAIT, what, At.HERE, beganNanos, endedNanos);
    }
  }

  void taskEnded() {
    taskEndedNanos = System.nanoTime();
    busyNanos += taskEndedNanos - taskBeganNanos;
  }

  void requested() {
    requests++;
    if (span != null) {
      requestBeganNanos = System.nanoTime();
    }
  }

  /**
   * The transaction has begun, within a task.
   *
   * @param traceParent the place in a trace that its client says; empty: none
   */
  void begun(String traceParent) {
    if (spans != null) {
      span = spans.begin("transaction", label, traceParent, beganNanos);
      requestBeganNanos = beganNanos;
    }
    if (span != null) {
      span.labelled(label);
    }
  }

  /** Whether the transaction has a span. */
  boolean isTraced() {
    return span != null;
  }

  /**
   * A request of a traced transaction was carried out.
   *
   * @param index that it was about; empty: it is not known
   */
  void carriedOut(String operation, String index, ServedTransaction transaction) {
    if (span != null) {
      int asked = transaction.remoteRequests();
      span.carriedOut(operation, index, asked, requestBeganNanos, System.nanoTime());
    }
  }

  /** Runs the commit of a transaction. */
  <T> T commit(ServedTransaction transaction, Supplier<T> commit) {
    long before = System.nanoTime();
    try {
      T result = commit.get();
      committed = true;
      return result;
    } finally {
      long now = System.nanoTime();
      commitNanos = now - before;
      if (span != null) {
        span.committed(transaction.remoteRequests(), before, now);
      }
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
    if (span != null) {
      endSpan(span, transaction, committed || asIntended, now);
    }
    boolean aborted = !committed && (failure != null || !why.isEmpty());
    if (explained != null && explanation != null) {
      String code = aborted ? failure == null ? "ended" : failure.code().id() : "";
      explanation.attemptEnded(aborted ? failure : null);
      explained.keep(explanation.ended(transaction.id(), code, transaction.indexNames()));
    }
    // Most are neither slow nor aborted, and their names need not be made.
    if (aborted) {
      log.aborted(record(transaction, client, now), failure, why);
    } else if ((committed || asIntended) && log.isSlow(now - beganNanos)) {
      log.ended(record(transaction, client, now));
    }
  }

  private void endSpan(
      ServerSpan traced, ServedTransaction transaction, boolean isCounted, long now) {
    if (isCounted) {
      traced.counted(transaction.tookNanos());
    }
    ServerSpan.Ended ended =
        new ServerSpan.Ended(
            transaction.id(), isCounted, requests, transaction.remoteRequests(), failure);
    traced.ended(ended, now);
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
        queuedNanos,
        busyNanos + (now - taskBeganNanos) - commitNanos,
        commitNanos);
  }
}
