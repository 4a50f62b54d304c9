package io.canopygrid.btree.function;

import io.canopygrid.CanopyException;
import io.canopygrid.TransactionListener;
import io.canopygrid.explain.Explained;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import java.util.List;

/**
 * Records the steps of a function that is run for a client, with its attempts. Confined to the
 * thread that runs the function.
 */
public final class ExplainedCall implements TransactionListener.Watch {
  private final Explanation explanation;
  private long endedNanos;
  private String transaction = "";
  private List<String> indexes = List.of();

  /** Records in an explanation that has just begun. */
  public ExplainedCall(Explanation explanation) {
    this.explanation = explanation;
  }

  Explanation explanation() {
    return explanation;
  }

  /** The label under which it is listed. */
  public String label() {
    return explanation.label();
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

  @Override
  public void ended(TransactionListener.Outcome outcome) {
    transaction = outcome.transactionId();
    indexes = outcome.indexes();
  }

  /** Whether the function has begun, so that there is something to tell. */
  public boolean hasBegun() {
    return !transaction.isEmpty();
  }

  /**
   * The steps, now that the function has ended.
   *
   * @param code the id of the code with which it has ended; empty: by its commit
   */
  public Explained ended(String code) {
    return explanation.ended(transaction, code, indexes);
  }
}
