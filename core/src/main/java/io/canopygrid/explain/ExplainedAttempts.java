package io.canopygrid.explain;

import io.canopygrid.CanopyException;
import io.canopygrid.TransactionListener;
import io.canopygrid.explain.ExplainedStep.At;

/**
 * Tells an explanation the attempts of a transaction, and the pauses between them. Confined to one
 * thread at a time.
 */
public abstract class ExplainedAttempts implements TransactionListener.Watch {
  private final Explanation explanation;
  private long endedNanos;

  protected ExplainedAttempts(Explanation explanation) {
    this.explanation = explanation;
  }

  /** The explanation that hears of them. */
  protected final Explanation explained() {
    return explanation;
  }

  @Override
  public void attemptBegins(int number) {
    if (number > 1) {
      explanation.add(StepKind.WAIT, "waited before it tries again", At.HERE, endedNanos);
    }
    explanation.attemptBegins(number);
  }

  @Override
  public void attemptEnded(TransactionListener.Outcome outcome) {
    endedNanos = explanation.now();
    explanation.attemptEnded(outcome.error() instanceof CanopyException e ? e : null);
  }
}
