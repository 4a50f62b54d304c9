package io.canopygrid;

import java.time.Instant;
import java.util.List;

/**
 * A branch of a global transaction that has been prepared and waits for the decision of its
 * transaction manager, or was decided by hand.
 *
 * @param id as the transaction manager knows it
 * @param state what has become of it so far
 * @param since when it was prepared
 * @param label of the transaction, {@link TransactionOptions#withLabel}
 * @param indexes the names of the indexes that it has used, sorted
 * @param writes how many entries it writes
 */
public record PreparedTransaction(
    BranchId id, State state, Instant since, String label, List<String> indexes, int writes) {
  /** The state of a prepared transaction that is not forgotten. */
  public enum State {
    /** The transaction waits for a decision, and holds what it has read and written. */
    IN_DOUBT,
    /** Somebody has committed it by hand; its transaction manager has not heard of that. */
    COMMITTED_BY_HAND,
    /** Somebody has rolled it back by hand; its transaction manager has not heard of that. */
    ROLLED_BACK_BY_HAND
  }

  /** Copies the list. */
  public PreparedTransaction {
    indexes = List.copyOf(indexes);
  }
}
