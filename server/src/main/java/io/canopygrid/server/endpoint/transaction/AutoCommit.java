package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.Pace;
import io.canopygrid.explain.Explained;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a client's transaction that came in one request. After a conflict the work is done again as
 * handles do it: in turn with others that change the same key, or after a random time that grows.
 * Thread-safe; blocks.
 */
public final class AutoCommit {
  private static final Backoff CONFLICTS = new Backoff(200_000, 100_000_000);

  /** Later attempts pause, since something else than a key that was lost is in the way. */
  private static final int QUEUED_ATTEMPTS = 8;

  private final TransactionService service;

  /** Transactions of one server. */
  public AutoCommit(TransactionService service) {
    this.service = service;
  }

  /**
   * The terms of a transaction.
   *
   * @param client the user and address, for the log
   * @param requests how many operations the client has asked for, for the log
   * @param traceParent the place in a trace that the client says; empty: none
   */
  public record Terms(
      Mode mode,
      String label,
      long timeoutMillis,
      String client,
      int requests,
      String traceParent) {}

  /**
   * Runs the work until it commits, or its error is no conflict.
   *
   * @param work what is done in each attempt
   */
  public <T extends @Nullable Object> T run(Terms terms, Function<ServedTransaction, T> work) {
    Explanation sample = service.explained().sample(terms.label(), System.nanoTime());
    if (sample == null) {
      return run(terms, null, work);
    }
    return explained(terms, sample, work, service.explained()::keep);
  }

  /** The same, and how it went where it did not fail. */
  public <T extends @Nullable Object> Result<T> explain(
      Terms terms, Function<ServedTransaction, T> work) {
    Explanation explanation = new Explanation(terms.label(), System::nanoTime);
    List<Explained> how = new ArrayList<>();
    T result = explained(terms, explanation, work, how::add);
    Explained explained = how.get(0);
    service.explained().keepAsked(explained);
    return new Result<>(result, explained);
  }

  /** The result of a transaction, and how it went. */
  public record Result<T extends @Nullable Object>(T result, Explained explained) {}

  /**
   * @param ended hears how it went, also where it fails
   */
  private <T extends @Nullable Object> T explained(
      Terms terms,
      Explanation explanation,
      Function<ServedTransaction, T> work,
      Consumer<Explained> ended) {
    AtomicReference<ServedTransaction> last = new AtomicReference<>();
    String code = ErrorCode.INTERNAL_ERROR.id();
    try {
      T result =
          run(
              terms,
              explanation,
              tx -> {
                last.set(tx);
                return work.apply(tx);
              });
      code = "";
      return result;
    } catch (CanopyException e) {
      code = e.code().id();
      throw e;
    } finally {
      ServedTransaction begun = last.get();
      ended.accept(
          begun == null
              ? explanation.ended("", code, List.of())
              : explanation.ended(begun.id(), code, begun.indexNames()));
    }
  }

  private <T extends @Nullable Object> T run(
      Terms terms, @Nullable Explanation explanation, Function<ServedTransaction, T> work) {
    if (service.draining().get()) {
      throw new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop");
    }
    Pace pace = service.node().engine().pace();
    long deadlineNanos = pace.nanoTime() + TimeUnit.MILLISECONDS.toNanos(terms.timeoutMillis());
    Attempt failed = null;
    for (int number = 1; ; number++) {
      Attempt attempt = new Attempt(terms, deadlineNanos, explanation, number);
      try {
        return attempt.run(failed, work);
      } catch (CanopyException e) {
        long failedNanos = explanation == null ? 0 : explanation.now();
        awaitNext(number, attempt, deadlineNanos, pace, e);
        if (explanation != null) {
          explanation.add(StepKind.WAIT, "waited before it tries again", At.HERE, failedNanos);
        }
        failed = attempt;
      }
    }
  }

  private static void awaitNext(
      int number, Attempt last, long deadlineNanos, Pace pace, CanopyException e) {
    if (!isConflict(e)) {
      throw e;
    }
    if (number >= TransactionOptions.DEFAULTS.maxAttempts()) {
      throw failed(ErrorCode.RETRIES_EXHAUSTED, "all " + number + " attempts failed", e);
    }
    if (!last.hasLostKey() || number > QUEUED_ATTEMPTS) {
      CONFLICTS.pause(number, deadlineNanos, pace);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw failed(ErrorCode.INTERRUPTED, "the server stopped between two attempts", e);
    }
    if (deadlineNanos - pace.nanoTime() <= 0) {
      throw failed(ErrorCode.TIMEOUT, "the time was over after " + number + " attempts", e);
    }
  }

  /** Whether another attempt at once is of use, as it is after what another transaction did. */
  private static boolean isConflict(CanopyException e) {
    return e.retryable()
        && (e.code() == ErrorCode.WRITE_CONFLICT
            || e.code() == ErrorCode.LOCK_TIMEOUT
            || e.code() == ErrorCode.SNAPSHOT_TOO_OLD);
  }

  private static CanopyException failed(ErrorCode code, String detail, CanopyException last) {
    return new CanopyException(
        code,
        detail + ", the last one: " + last.detail(),
        CommitState.NOT_COMMITTED,
        last.transactionId(),
        last);
  }

  /** One attempt. Confined to its thread. */
  private final class Attempt {
    private final Terms terms;
    private final long deadlineNanos;
    private final TransactionRecord record;
    private final @Nullable Explanation explanation;
    private final int number;
    private @Nullable ServedTransaction transaction;

    Attempt(Terms terms, long deadlineNanos, @Nullable Explanation explanation, int number) {
      this.explanation = explanation;
      this.number = number;
      this.terms = terms;
      this.deadlineNanos = deadlineNanos;
      this.record = new TransactionRecord(service, terms.label(), null);
    }

    boolean hasLostKey() {
      ServedTransaction begun = transaction;
      return begun != null && begun.hasLostKey();
    }

    <T extends @Nullable Object> T run(
        @Nullable Attempt before, Function<ServedTransaction, T> work) {
      record.taskBegan(System.nanoTime());
      if (explanation != null) {
        explanation.attemptBegins(number);
      }
      for (int i = 0; i < terms.requests(); i++) {
        record.requested();
      }
      ServedTransaction open =
          service
              .node()
              .begin(
                  new Begin(
                      terms.mode(),
                      VectorClock.ZERO,
                      deadlineNanos,
                      terms.label(),
                      ReadFrom.PRIMARY,
                      ""),
                  service.limits().transactionBytesMax(),
                  service.staged());
      transaction = open;
      record.begun(terms.traceParent());
      if (explanation != null) {
        open.explainIn(explanation);
      }
      service.open().incrementAndGet();
      boolean isDone = false;
      CanopyException failure = null;
      try {
        if (before != null && before.transaction != null) {
          open.queueAfter(before.transaction);
        }
        T result = work.apply(open);
        record.carriedOut("request", "", open);
        if (terms.mode() == Mode.UPDATE) {
          record.commit(open, () -> open.commit(null));
        }
        isDone = true;
        return result;
      } catch (CanopyException e) {
        failure = e;
        record.failed(e);
        throw e;
      } finally {
        service.open().decrementAndGet();
        boolean isRead = isDone && terms.mode() == Mode.READ_ONLY;
        open.end(isRead);
        record.ended(open, terms::client, isRead, "");
        if (explanation != null) {
          explanation.attemptEnded(failure);
        }
      }
    }
  }
}
