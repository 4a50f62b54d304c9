package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.Pace;
import io.canopygrid.typed.OpenTransaction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs callers' code as transactions. A body that returns is committed. After a conflict the body
 * is run again: in turn with other transactions that want to change the same key, or after a random
 * time that grows. Thread-safe.
 */
public final class Bodies {
  private static final Backoff CONFLICTS = new Backoff(200_000, 100_000_000);

  /** A disk that is slow stays so for longer than a conflict. */
  private static final Backoff DISKS = new Backoff(20_000_000, 1_000_000_000);

  /**
   * The most times that an attempt that has lost a key is followed at once by one that waits for
   * its turn there. Later attempts pause as others do, since something else is in the way.
   */
  private static final int QUEUED_ATTEMPTS = 8;

  private final Pace pace;

  /** Whether this thread is in a body. */
  private final ThreadLocal<Boolean> inBody = new ThreadLocal<>();

  /** Runs bodies in the time of an engine. */
  public Bodies(Pace pace) {
    this.pace = pace;
  }

  /**
   * The terms on which a body is run.
   *
   * @param how each attempt begins
   * @param attemptsMax how many there are at most
   * @param begin begins one
   * @param saw hears what the transaction has seen and done
   * @param statistics where it is counted
   * @param watching hears of it
   */
  public record Terms(
      Begin how,
      int attemptsMax,
      Function<Begin, EngineTransaction> begin,
      Consumer<VectorClock> saw,
      Statistics statistics,
      Watching watching) {}

  /** A caller's code. */
  public interface Body<
      O extends OpenTransaction, T extends @Nullable Object, X extends Exception> {
    /** Does the work of one attempt. */
    T run(O transaction) throws X;
  }

  /**
   * Runs a body until it commits.
   *
   * @param open makes the transaction that the body gets
   */
  public <O extends OpenTransaction, T extends @Nullable Object, X extends Exception> T run(
      Terms terms, Function<EngineTransaction, O> open, Body<O, T, X> body) throws X {
    checkNotInBody();
    inBody.set(Boolean.TRUE);
    try {
      return attempts(terms, open, body);
    } finally {
      inBody.set(Boolean.FALSE);
    }
  }

  /** Refuses what would be a transaction within a body's. */
  public void checkNotInBody() {
    if (Boolean.TRUE.equals(inBody.get())) {
      throw new CanopyException(
          ErrorCode.NESTED_TRANSACTION, "this thread is in the body of another transaction");
    }
  }

  private <O extends OpenTransaction, T extends @Nullable Object, X extends Exception> T attempts(
      Terms terms, Function<EngineTransaction, O> open, Body<O, T, X> body) throws X {
    LabelCounters counters = terms.statistics().of(terms.how().label());
    long beganNanos = pace.nanoTime();
    Watching watching = terms.watching();
    CommitEvent event = CommitEvent.begun();
    EngineTransaction failed = null;
    for (int attempt = 1; ; attempt++) {
      counters.attempted();
      watching.attemptBegins(attempt);
      O transaction = open.apply(terms.begin().apply(watching.traced(terms.how())));
      EngineTransaction begun = transaction.engine();
      watching.has(begun);
      boolean counted = false;
      try {
        if (failed != null) {
          begun.queueAfter(failed);
        }
        T result = body.run(transaction);
        watching.commits();
        terms.saw().accept(transaction.end());
        counted = true;
        terms.statistics().committed(counters, begun, pace.nanoTime() - beganNanos);
        watching.committed();
        if (event != null) {
          event.committed(terms.how().label(), attempt, begun);
        }
        return result;
      } catch (CanopyException e) {
        if (!isOf(transaction, e)) {
          throw e;
        }
        counted = true;
        counters.aborted(begun, e.code());
        AbortEvent.record(terms.how().label(), e);
        watching.failed(e);
        if (!e.retryable()) {
          throw e;
        }
        failed = begun;
        awaitNext(attempt, terms, begun, e);
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

  private void awaitNext(int attempt, Terms terms, EngineTransaction last, CanopyException e) {
    long deadlineNanos = terms.how().deadlineNanos();
    if (attempt >= terms.attemptsMax()) {
      throw failed(ErrorCode.RETRIES_EXHAUSTED, "all " + attempt + " attempts failed", e);
    }
    if (e.code() == ErrorCode.TIMEOUT
        || e.code() == ErrorCode.SHARD_UNAVAILABLE
        || e.code() == ErrorCode.DISK_FULL) {
      // The time is over, or the wait would be longer than callers expect.
      throw e;
    }
    if (!last.hasLostKey() || attempt > QUEUED_ATTEMPTS) {
      Backoff backoff = e.code() == ErrorCode.DISK_SLOW ? DISKS : CONFLICTS;
      backoff.pause(attempt, deadlineNanos, pace);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw failed(ErrorCode.INTERRUPTED, "the thread was interrupted between two attempts", e);
    }
    if (deadlineNanos - pace.nanoTime() <= 0) {
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
