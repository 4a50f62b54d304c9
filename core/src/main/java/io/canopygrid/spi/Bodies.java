package io.canopygrid.spi;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.TransactionOptions;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs callers' code as transactions: commits when it returns, runs it again after a conflict, not
 * at once but after a random time that grows. Thread-safe.
 */
final class Bodies {
  private static final Backoff CONFLICTS = new Backoff(200_000, 100_000_000);

  private final Engine engine;
  private final Session session;
  private final Statistics statistics;

  /** Whether this thread is in a body. */
  private final ThreadLocal<Boolean> inBody = new ThreadLocal<>();

  Bodies(Engine engine, Session session, Statistics statistics) {
    this.engine = engine;
    this.session = session;
    this.statistics = statistics;
  }

  /** A caller's code. */
  interface Body<O extends OpenTransaction, T extends @Nullable Object, X extends Exception> {
    T run(O transaction) throws X;
  }

  /**
   * Runs a body until it commits.
   *
   * @param open makes the transaction that the body gets
   */
  <O extends OpenTransaction, T extends @Nullable Object, X extends Exception> T run(
      TransactionOptions options,
      Mode mode,
      Function<EngineTransaction, O> open,
      Body<O, T, X> body)
      throws X {
    checkNotInBody();
    inBody.set(Boolean.TRUE);
    try {
      return attempts(options, mode, open, body);
    } finally {
      inBody.set(Boolean.FALSE);
    }
  }

  /** Refuses what would be a transaction within a body's. */
  void checkNotInBody() {
    if (Boolean.TRUE.equals(inBody.get())) {
      throw new CanopyException(
          ErrorCode.NESTED_TRANSACTION, "this thread is in the body of another transaction");
    }
  }

  private <O extends OpenTransaction, T extends @Nullable Object, X extends Exception> T attempts(
      TransactionOptions options,
      Mode mode,
      Function<EngineTransaction, O> open,
      Body<O, T, X> body)
      throws X {
    LabelCounters counters = statistics.of(options.label());
    long beganNanos = engine.pace().nanoTime();
    long deadlineNanos = beganNanos + options.timeout().toNanos();
    Begin how = session.begin(options, mode, deadlineNanos);
    for (int attempt = 1; ; attempt++) {
      counters.attempted();
      O transaction = open.apply(engine.begin(how));
      EngineTransaction begun = transaction.engine();
      boolean counted = false;
      try {
        T result = body.run(transaction);
        session.saw(transaction.end());
        counted = true;
        statistics.committed(counters, begun, engine.pace().nanoTime() - beganNanos);
        return result;
      } catch (CanopyException e) {
        if (!isOf(transaction, e)) {
          throw e;
        }
        counted = true;
        counters.aborted(begun, e.code());
        if (!e.retryable()) {
          throw e;
        }
        awaitNext(attempt, options, deadlineNanos, e);
      } finally {
        transaction.abandon();
        if (!counted) {
          counters.abandoned(begun);
        }
      }
    }
  }

  /** Whether Canopy itself threw it, in this attempt. */
  private static boolean isOf(OpenTransaction transaction, CanopyException e) {
    return e.transactionId() != null && e.transactionId().equals(transaction.id());
  }

  private void awaitNext(
      int attempt, TransactionOptions options, long deadlineNanos, CanopyException e) {
    if (attempt >= options.maxAttempts()) {
      throw failed(ErrorCode.RETRIES_EXHAUSTED, "all " + attempt + " attempts failed", e);
    }
    if (e.code() == ErrorCode.TIMEOUT || e.code() == ErrorCode.SHARD_UNAVAILABLE) {
      // The time is over; or it takes longer than anybody wants to wait unasked.
      throw e;
    }
    CONFLICTS.pause(attempt, deadlineNanos, engine.pace());
    if (Thread.currentThread().isInterrupted()) {
      throw failed(ErrorCode.INTERRUPTED, "the thread was interrupted between two attempts", e);
    }
    if (deadlineNanos - engine.pace().nanoTime() <= 0) {
      throw failed(ErrorCode.TIMEOUT, "the time was over after " + attempt + " attempts", e);
    }
  }

  private static CanopyException failed(ErrorCode code, String detail, CanopyException last) {
    return new CanopyException(
        code,
        detail + ", the last one: " + last.detail(),
        CommitState.NOT_COMMITTED,
        last.transactionId(),
        last);
  }
}
