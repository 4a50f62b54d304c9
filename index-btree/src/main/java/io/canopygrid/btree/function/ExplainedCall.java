package io.canopygrid.btree.function;

import io.canopygrid.TransactionListener;
import io.canopygrid.explain.Explained;
import io.canopygrid.explain.ExplainedAttempts;
import io.canopygrid.explain.Explanation;
import java.util.List;

/**
 * Records the steps of a function that is run for a client, with its attempts. Confined to the
 * thread that runs the function.
 */
public final class ExplainedCall extends ExplainedAttempts {
  private String transaction = "";
  private List<String> indexes = List.of();

  /** Records in an explanation that has just begun. */
  public ExplainedCall(Explanation explanation) {
    super(explanation);
  }

  Explanation explanation() {
    return explained();
  }

  /** The label under which it is listed. */
  public String label() {
    return explained().label();
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
    return explained().ended(transaction, code, indexes);
  }
}
