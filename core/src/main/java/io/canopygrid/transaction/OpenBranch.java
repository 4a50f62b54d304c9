package io.canopygrid.transaction;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.Transaction;
import io.canopygrid.engine.PreparedTransactions;

/** A transaction that its transaction manager ends. Confined to one thread at a time. */
public final class OpenBranch {
  private final UpdateTransaction transaction;
  private final String label;
  private final UpdateTransaction.Ending ending;

  OpenBranch(UpdateTransaction transaction, String label, UpdateTransaction.Ending ending) {
    this.transaction = transaction;
    this.label = label;
    this.ending = ending;
  }

  /** The transaction, which its user cannot end. */
  public Transaction transaction() {
    return transaction;
  }

  /** Commits at once. */
  public void commit() {
    end(() -> ending.committed(transaction.end()));
  }

  /**
   * Prepares the transaction.
   *
   * @return whether there is nothing left to be decided
   */
  public boolean prepare(PreparedTransactions prepared, BranchId id) {
    boolean[] decided = new boolean[1];
    end(() ->
        ending.committed(
            transaction.endBy(engine -> {
              PreparedTransactions.Prepared done = prepared.prepare(engine, id, label);
              decided[0] = done.decided();
              return done.clock();
            })));
    return decided[0];
  }

  private void end(Runnable step) {
    ending.commits();
    try {
      step.run();
    } catch (CanopyException e) {
      ending.failed(e);
      throw e;
    } finally {
      ending.ended();
    }
  }

  /** Ends it without effect. */
  public void rollback() {
    transaction.abandon();
    ending.ended();
  }
}
