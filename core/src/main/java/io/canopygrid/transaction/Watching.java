package io.canopygrid.transaction;

import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionListener.Call;
import io.canopygrid.TransactionListener.Outcome;
import io.canopygrid.TransactionListener.Watch;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.StepRecorder;
import io.canopygrid.explain.Explanation;
import io.canopygrid.wire.TraceParent;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a listener of one transaction: each attempt that was told to begin also ends, and all ends
 * once. Each method does nothing where nobody listens. Thread-safe, as a caller's transaction that
 * is left open ends on another thread.
 */
public final class Watching {
  /** Nobody listens. */
  public static final Watching NONE = new Watching(null, null);

  private @Nullable Watch watch;

  /** Null: its steps are not recorded, or not any more. */
  private @Nullable StepRecording recording;

  private int attempts;
  private boolean inAttempt;
  private @Nullable EngineTransaction begun;

  /** The outcome of all attempts so far, which is that of the only one of most transactions. */
  private Outcome all = new Outcome("", false, 0, 0, List.of(), null);

  private Watching(@Nullable Watch watch, @Nullable StepRecording recording) {
    this.watch = watch;
    this.recording = recording;
  }

  /**
   * Tells a listener, null for none, that a transaction begins, and lets a recorder choose. A
   * function is recorded where it runs.
   */
  public static Watching of(
      @Nullable TransactionListener listener,
      StepRecorder recorder,
      Call call,
      TransactionOptions options) {
    Watch watch = listener == null ? null : begun(listener, call, options);
    Explanation chosen = call == Call.EXECUTE ? null : recorder.begins(options.label());
    return watch == null && chosen == null
        ? NONE
        : new Watching(watch, chosen == null ? null : new StepRecording(recorder, chosen, call));
  }

  private static @Nullable Watch begun(
      TransactionListener listener, Call call, TransactionOptions options) {
    try {
      return listener.begins(call, options);
    } catch (Throwable e) {
      report(e);
      return null;
    }
  }

  /** An attempt begins. */
  void attemptBegins(int number) {
    if (this != NONE) {
      beginAttempt(number);
    }
  }

  private synchronized void beginAttempt(int number) {
    inAttempt = true;
    attempts = number;
    tell(watch -> watch.attemptBegins(number));
  }

  /** The same beginning within the trace that is heard of, where there is one. */
  public Begin traced(Begin how) {
    return this == NONE ? how : how.tracedBy(traceParent());
  }

  private synchronized String traceParent() {
    Watch told = watch;
    if (told == null) {
      return "";
    }
    try {
      TraceParent parent = TraceParent.parse(told.traceParent());
      return parent == null ? "" : parent.toString();
    } catch (Throwable e) {
      watch = null;
      report(e);
      return "";
    }
  }

  /** The attempt has a transaction of the engine. */
  void has(EngineTransaction transaction) {
    if (this != NONE) {
      synchronized (this) {
        begun = transaction;
        if (recording != null) {
          recording.has(transaction);
        }
      }
    }
  }

  /** The attempt is about to commit. */
  void commits() {
    if (this != NONE) {
      synchronized (this) {
        tell(Watch::commits);
      }
    }
  }

  /** The attempt has committed. */
  void committed() {
    if (this != NONE) {
      endAttempt(true, null);
    }
  }

  /** The attempt has failed, and another one may follow. */
  void failed(Throwable why) {
    if (this != NONE) {
      endAttempt(false, why);
    }
  }

  private synchronized void endAttempt(boolean asCommitted, @Nullable Throwable error) {
    if (!inAttempt) {
      return;
    }
    inAttempt = false;
    EngineTransaction of = begun;
    begun = null;
    Outcome outcome =
        of == null
            ? new Outcome("", false, 0, 0, List.of(), error)
            : new Outcome(
                of.id(), asCommitted, of.remoteRequests(), of.redirects(), of.indexNames(), error);
    all = attempts == 1 ? outcome : sum(all, outcome);
    tell(watch -> watch.attemptEnded(outcome));
  }

  private static Outcome sum(Outcome before, Outcome last) {
    TreeSet<String> indexes = new TreeSet<>(before.indexes());
    indexes.addAll(last.indexes());
    return new Outcome(
        last.transactionId().isEmpty() ? before.transactionId() : last.transactionId(),
        last.committed(),
        before.remoteRequests() + last.remoteRequests(),
        before.redirects() + last.redirects(),
        List.copyOf(indexes),
        last.error());
  }

  /** A function has been run elsewhere. */
  public void executed(FunctionResult result) {
    if (this != NONE) {
      synchronized (this) {
        all = new Outcome("", true, result.remoteRequests(), result.redirects(), List.of(), null);
      }
    }
  }

  /** The whole of a transaction. */
  public interface Work<T extends @Nullable Object, X extends Exception> {
    /** Does it. */
    T run() throws X;
  }

  /** Does the whole of a transaction, and tells how it has ended. */
  public <T extends @Nullable Object, X extends Exception> T over(Work<T, X> work) throws X {
    if (this == NONE) {
      return work.run();
    }
    try {
      T result = work.run();
      ended(null);
      return result;
    } catch (Throwable e) {
      ended(e);
      throw e;
    }
  }

  /** Where the transaction is refused before its work begins it ends with this. */
  @SuppressWarnings("FutureReturnValueIgnored") // nothing is to be done with it
  public void endsWith(CompletionStage<?> submitted) {
    if (this != NONE) {
      submitted.whenComplete((result, error) -> ended(error));
    }
  }

  /** Another thread ends the transaction, which may be at work: its steps are not told then. */
  synchronized void cutOff(Throwable error) {
    if (this != NONE) {
      recording = null;
      end(error);
    }
  }

  /**
   * The transaction has ended, and with it an attempt that has not.
   *
   * @param error null: by a commit or by its caller
   */
  void ended(@Nullable Throwable error) {
    if (this != NONE) {
      end(error);
    }
  }

  private synchronized void end(@Nullable Throwable error) {
    endAttempt(false, error);
    Outcome outcome = Objects.equals(error, all.error()) ? all : withError(all, error);
    tell(watch -> watch.ended(outcome));
    watch = null;
    recording = null;
  }

  /** The caller may get another error than the last attempt's, or none. */
  private static Outcome withError(Outcome all, @Nullable Throwable error) {
    return new Outcome(
        all.transactionId(),
        all.committed() && error == null,
        all.remoteRequests(),
        all.redirects(),
        all.indexes(),
        error);
  }

  /** The caller holds this object's lock. */
  private void tell(Consumer<Watch> event) {
    if (recording != null) {
      event.accept(recording);
    }
    Watch told = watch;
    if (told == null) {
      return;
    }
    try {
      event.accept(told);
    } catch (Throwable e) {
      watch = null;
      report(e);
    }
  }

  /** Nothing that a listener does, or the handler of its errors, changes the transaction's end. */
  private static void report(Throwable e) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    } catch (Throwable alsoFailed) {
      e.addSuppressed(alsoFailed); // goes nowhere, as where a thread ends
    }
  }
}
