package io.canopygrid.explain;

import io.canopygrid.CanopyException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the steps of one transaction while it runs. A transaction that nobody wants to be
 * explained has none of these, and compares a reference with null. Confined to one thread at a
 * time, as the transaction is.
 */
public final class Explanation {
  /** Most steps that are kept; more are counted, and their time is in the sums. */
  public static final int STEPS_MAX = 200;

  /** Most attempts that are kept; more are only in the number of the last one's steps. */
  private static final int ATTEMPTS_MAX = 100;

  private final LongSupplier nanoTime;
  private final String label;
  private final long beganMillis;
  private final long originNanos;
  private final List<ExplainedStep> steps = new ArrayList<>();
  private final List<ExplainedAttempt> attempts = new ArrayList<>();
  private final EnumMap<StepKind, Long> sums = new EnumMap<>(StepKind.class);
  private long leftOut;
  private int attempt = 1;
  private long attemptBeganNanos;

  /**
   * Begins now.
   *
   * @param nanoTime the time in which steps are measured
   */
  public Explanation(String label, LongSupplier nanoTime) {
    this.label = label;
    this.nanoTime = nanoTime;
    this.beganMillis = System.currentTimeMillis();
    this.originNanos = nanoTime.getAsLong();
  }

  /** The label of the transaction. */
  public String label() {
    return label;
  }

  /** The time now, for the beginning of a step. */
  public long now() {
    return nanoTime.getAsLong();
  }

  /** Adds a step that ends now. */
  public void add(StepKind kind, String what, ExplainedStep.At at, long beganNanos) {
    add(kind, what, at, beganNanos, now());
  }

  /** Adds a step that has ended. */
  public void add(
      StepKind kind, String what, ExplainedStep.At at, long beganNanos, long endedNanos) {
    sums.merge(kind, Math.max(0, endedNanos - beganNanos), Long::sum);
    keep(kind, false, what, at, beganNanos, endedNanos);
  }

  /** Adds a part of the last step. */
  public void addPart(
      StepKind kind, String what, ExplainedStep.At at, long beganNanos, long endedNanos) {
    keep(kind, true, what, at, beganNanos, endedNanos);
  }

  private void keep(
      StepKind kind,
      boolean isPart,
      String what,
      ExplainedStep.At at,
      long beganNanos,
      long endedNanos) {
    if (steps.size() == STEPS_MAX) {
      leftOut++;
      return;
    }
    long nanos = Math.max(0, endedNanos - beganNanos);
    steps.add(new ExplainedStep(kind, isPart, attempt, what, at, beganNanos - originNanos, nanos));
  }

  /** An attempt begins. */
  public void attemptBegins(int number) {
    attempt = number;
    attemptBeganNanos = now() - originNanos;
  }

  /**
   * The attempt ends.
   *
   * @param why null: it has committed, or was only to read
   */
  public void attemptEnded(@Nullable CanopyException why) {
    if (attempts.size() == ATTEMPTS_MAX) {
      attempts.remove(ATTEMPTS_MAX - 1);
    }
    Map<String, String> facts = why == null ? Map.of() : why.facts();
    attempts.add(
        new ExplainedAttempt(
            attempt,
            attemptBeganNanos,
            now() - originNanos - attemptBeganNanos,
            why == null ? "" : why.code().id(),
            why == null ? "" : why.detail(),
            facts.getOrDefault("index", ""),
            facts.getOrDefault("other", "")));
  }

  /**
   * The transaction has ended now.
   *
   * @param transaction its id
   * @param code the id of the code with which it has ended; empty: by a commit, or it was only to
   *     read
   * @param indexes the names of those that it used
   */
  public Explained ended(String transaction, String code, List<String> indexes) {
    return new Explained(
        transaction,
        label,
        beganMillis,
        now() - originNanos,
        code,
        indexes,
        attempts,
        steps,
        leftOut,
        sums);
  }
}
