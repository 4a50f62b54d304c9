package io.canopygrid.job;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.Pace;
import io.canopygrid.job.JobReport.Kind;
import io.canopygrid.job.JobReport.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Tells a server how far a job is, and ends the job where somebody has cancelled it. A server that
 * does not take reports, or not those of this user, is not told again; a job never fails because
 * nobody hears of it. Confined to one thread.
 */
public final class JobTeller {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled(JobReport.FUNCTION).withTimeout(Duration.ofSeconds(5));

  private final Canopy db;
  private final Kind kind;
  private final String name;
  private final String detail;
  private final String unit;
  private final String id = UUID.randomUUID().toString();
  private final long beganNanos = Pace.MACHINE.nanoTime();
  private long toldNanos = beganNanos - PAUSE_NANOS;
  private long done;
  private long total = JobReport.UNKNOWN;
  private boolean isMute;
  private boolean isCancelled;

  /**
   * A job that begins now.
   *
   * @param name of the index that it changes; empty: it is about the whole grid
   * @param detail what it works with; may be empty
   * @param unit of its counts, in the plural
   */
  public JobTeller(Canopy db, Kind kind, String name, String detail, String unit) {
    this.db = db;
    this.kind = kind;
    this.name = name;
    this.detail = shortened(detail);
    this.unit = unit;
  }

  /** From now on nobody is told: a node in this JVM has no server that listens. */
  public void mute() {
    isMute = true;
  }

  /** The work of a job. */
  public interface Work<E extends Exception> {
    /** Does all of it. */
    void run() throws E;
  }

  /** Does the work, and tells how it ended. */
  public <E extends Exception> void over(Work<E> work) throws E {
    State state = State.FAILED;
    String error = "";
    try {
      work.run();
      state = State.DONE;
    } catch (CanopyException e) {
      state = isCancelled ? State.CANCELLED : State.FAILED;
      error = shortened(String.valueOf(e.getMessage()));
      throw e;
    } finally {
      tell(state, error);
    }
  }

  /**
   * The job has come so far; told at most once a second.
   *
   * @param all how many there are; {@link JobReport#UNKNOWN}: nobody knows
   * @throws CanopyException {@link ErrorCode#INTERRUPTED} where somebody has cancelled the job
   */
  public void reached(long count, long all) {
    done = count;
    total = all;
    long now = Pace.MACHINE.nanoTime();
    if (isMute || now - toldNanos < PAUSE_NANOS) {
      return;
    }
    toldNanos = now;
    String by = tell(State.RUNNING, "");
    if (!by.isEmpty()) {
      isCancelled = true;
      throw cancelled(by);
    }
  }

  /** The error that ends a job which somebody has cancelled. */
  public static CanopyException cancelled(String by) {
    return new CanopyException(
        ErrorCode.INTERRUPTED,
        "the job was cancelled by " + by,
        CommitState.NOT_COMMITTED,
        null,
        null);
  }

  /** The job has done so much in the end. */
  public void ends(long count) {
    done = count;
  }

  /** The user who has cancelled the job; empty: nobody has, or nobody says so. */
  private String tell(State state, String error) {
    if (isMute) {
      return "";
    }
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(Pace.MACHINE.nanoTime() - beganNanos);
    JobReport report =
        new JobReport(id, kind, state, name, detail, unit, done, total, tookMillis, error);
    try {
      return new String(told(report), StandardCharsets.UTF_8);
    } catch (CanopyException e) {
      isMute = !e.retryable();
      return "";
    }
  }

  /** Asks on another thread: this one may be in a body, which must not begin a transaction. */
  private byte[] told(JobReport report) {
    FunctionCall call = FunctionCall.of(JobReport.FUNCTION, report.encode());
    try {
      return db.executeAsync(OPTIONS, call).toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted while a job is told", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CanopyException coded) {
        throw coded;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(text.length(), JobReport.TEXT_MAX));
  }
}
