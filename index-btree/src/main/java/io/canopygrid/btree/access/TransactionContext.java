package io.canopygrid.btree.access;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that the parts of one transaction share: its id, its mode, its deadline, the reason why
 * it was cut off, and the number of its requests to other nodes. Confined to the transaction's
 * thread, apart from {@link #cutOff}.
 */
public final class TransactionContext {
  private final NodeThreads threads;
  private final Supplier<String> ids;
  private final Mode mode;
  private final long deadlineNanos;

  /** Made when it is first asked for: most transactions need none. */
  private @Nullable String id;

  /** Why the handle has ended the transaction; set by another thread. */
  private volatile @Nullable CanopyException cutOff;

  private int remoteRequests;
  private int redirects;

  /** Null: nobody has asked where its time goes, as mostly. */
  private @Nullable Explanation explanation;

  /**
   * The context of a new transaction.
   *
   * @param threads the time in which its deadline is given
   * @param ids makes ids that no other transaction of the grid has
   */
  public TransactionContext(NodeThreads threads, Supplier<String> ids, Begin how) {
    this.threads = threads;
    this.ids = ids;
    this.mode = how.mode();
    this.deadlineNanos = how.deadlineNanos();
  }

  /** From now on its steps are recorded. */
  public void explainIn(Explanation recorder) {
    explanation = recorder;
  }

  /** Where its steps are recorded; null: nowhere. */
  public @Nullable Explanation explanation() {
    return explanation;
  }

  /** Pauses, which is a step. */
  public void pause(Backoff backoff, int times, String why) {
    Explanation recorder = explanation;
    long beganNanos = recorder == null ? 0 : recorder.now();
    backoff.pause(times, deadlineNanos, threads);
    if (recorder != null) {
      recorder.add(StepKind.WAIT, why, At.HERE, beganNanos);
    }
  }

  /** Names the transaction in errors. */
  public String id() {
    if (id == null) {
      id = ids.get();
    }
    return id;
  }

  /** The mode, which says what the transaction may do. */
  public Mode mode() {
    return mode;
  }

  /** Whether reads are remembered, so that a commit can validate them. */
  public boolean remembers() {
    return mode != Mode.READ_ONLY;
  }

  /** When its time is over. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** The rest of the transaction's time; negative when the time is over. */
  public long remainingNanos() {
    return deadlineNanos - threads.nanoTime();
  }

  /**
   * Throws where the time is over or the transaction was cut off: it may have ended, so nothing is
   * asked for it any more.
   */
  public void checkTime() throws TimeoutException {
    if (cutOff != null) {
      throw cutOff;
    }
    if (remainingNanos() <= 0) {
      throw new TimeoutException("its deadline has passed");
    }
  }

  /**
   * From now on every failure of the transaction is this one, but not that of a commit whose
   * outcome is unknown. Any thread may call it.
   */
  public void cutOff(CanopyException why) {
    cutOff = why;
  }

  /** Whether another thread has cut the transaction off. */
  public boolean isCutOff() {
    return cutOff != null;
  }

  /** An exception of the layers below, as a coded error. */
  public RuntimeException failure(RuntimeException e) {
    CanopyException why = cutOff;
    return why != null && !mayHaveCommitted(e) ? why : Failures.ofNode(e, id());
  }

  /** A commit was under way when the transaction was cut off: its caller must not do it again. */
  private static boolean mayHaveCommitted(RuntimeException e) {
    return e instanceof CanopyException coded && coded.commitState() == CommitState.UNKNOWN;
  }

  /** The coded error of a transaction whose time was over before its commit. */
  public CanopyException timeout(TimeoutException e) {
    return Failures.timeout(id(), e);
  }

  /** Requests have waited, or will wait, for another node. */
  public void countRemoteRequests(int requests) {
    remoteRequests += requests;
  }

  /** An answer was that a key is elsewhere. */
  public void countRedirect() {
    redirects++;
  }

  /** Requests so far that waited for another node. */
  public int remoteRequests() {
    return remoteRequests;
  }

  /** Answers so far that a key was elsewhere. */
  public int redirects() {
    return redirects;
  }
}
