package io.canopygrid;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears of the transactions of a handle, for traces and the like: see {@link Canopy#listen}. All
 * methods are called by the threads that work on transactions, many at the same time, and should
 * return at once. An exception of a listener goes to its thread's handler of uncaught exceptions
 * and changes nothing, but nothing more of that transaction is told.
 */
@FunctionalInterface
public interface TransactionListener {
  /**
   * A transaction begins. Called by the thread that asks for it, also where another one will work
   * on it.
   *
   * @return hears of this transaction; null: nothing more of it is told
   */
  @Nullable Watch begins(Call call, TransactionOptions options);

  /** The method of {@link Canopy} that begins a transaction. */
  enum Call {
    /** {@code run}, {@code call} and their like: a body that may be run again. */
    RUN,
    /** {@code read}: a body that only reads. */
    READ,
    /** {@code begin}: the caller ends it, maybe on another thread than the one that began it. */
    BEGIN,
    /** {@code publisher}: a cursor that is read by several threads, one at a time. */
    PUBLISH,
    /** {@code execute}: a function. Where it runs elsewhere no attempt of it is told. */
    EXECUTE
  }

  /**
   * Hears of one transaction. For {@link Call#RUN}, {@link Call#READ} and {@link Call#EXECUTE} all
   * but {@link #begins} is called by the thread that runs the body, around the body.
   */
  interface Watch {
    /**
     * An attempt begins.
     *
     * @param number from 1 on
     */
    default void attemptBegins(int number) {}

    /**
     * The place in a trace to which spans of servers belong that work on the attempt that began
     * last, or, where none is told, on the transaction: a {@code traceparent} of the W3C's Trace
     * Context. A client sends it along. Asked once for each attempt, before its first request.
     *
     * @return empty: there is none; nor is there where it is malformed
     */
    default String traceParent() {
      return "";
    }

    /** The attempt's body has returned, or its caller has asked for it: now it is committed. */
    default void commits() {}

    /** The attempt that began last has ended. */
    default void attemptEnded(Outcome outcome) {}

    /**
     * The transaction has ended, after its last attempt. Told once.
     *
     * @param outcome with the requests of all attempts; its error is the one that the caller gets
     */
    default void ended(Outcome outcome) {}
  }

  /**
   * The end of an attempt or a transaction. Immutable.
   *
   * @param transactionId as in errors; empty: it did not get as far, or ran elsewhere
   * @param committed whether it is known to have committed
   * @param remoteRequests requests that waited for an answer of another node, or of a server
   * @param redirects answers "the key is elsewhere" that cost another request
   * @param indexes the names of the indexes that it has used, as far as they are known here
   * @param error why it has not committed; null: it has, or its caller rolled it back
   */
  record Outcome(
      String transactionId,
      boolean committed,
      int remoteRequests,
      int redirects,
      List<String> indexes,
      @Nullable Throwable error) {
    /** Copies the list. */
    public Outcome {
      indexes = List.copyOf(indexes);
    }
  }
}
