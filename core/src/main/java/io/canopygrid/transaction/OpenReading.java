package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.ReadTransaction;
import org.jspecify.annotations.Nullable;

/** A read-only transaction that its reader ends. Confined to one thread at a time. */
public final class OpenReading {
  private final SnapshotTransaction transaction;
  private final UpdateTransaction.Ending ending;

  OpenReading(SnapshotTransaction transaction, UpdateTransaction.Ending ending) {
    this.transaction = transaction;
    this.ending = ending;
  }

  /** The transaction that is open. */
  public ReadTransaction transaction() {
    return transaction;
  }

  /**
   * Ends it when all is read.
   *
   * @throws CanopyException what was read is no state of the grid; only where it was to be
   *     validated
   */
  public void end() {
    ending.commits();
    try {
      ending.committed(transaction.end());
    } catch (CanopyException e) {
      ending.failed(e);
      throw e;
    } finally {
      ending.ended();
    }
  }

  /**
   * Ends it before all is read.
   *
   * @param why what has gone wrong; null: nothing
   */
  public void abandon(@Nullable CanopyException why) {
    if (why != null) {
      ending.failed(why);
    }
    transaction.abandon();
    ending.ended();
  }
}
