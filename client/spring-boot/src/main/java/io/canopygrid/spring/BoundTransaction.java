package io.canopygrid.spring;

import io.canopygrid.Canopy;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Transaction;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction of a handle that a thread is in. Confined to that thread. */
final class BoundTransaction {
  private final ReadTransaction reads;

  /** Null where nothing may be written. */
  private final @Nullable Transaction updates;

  /** Whether Canopy runs the code again after a conflict, for which it must see its own errors. */
  private final boolean retried;

  /** Whether nothing may be committed any more. */
  private boolean rollbackOnly;

  private BoundTransaction(ReadTransaction reads, @Nullable Transaction updates, boolean retried) {
    this.reads = reads;
    this.updates = updates;
    this.retried = retried;
  }

  /** Of a body that is run again after a conflict. */
  static BoundTransaction ofBody(Transaction tx) {
    return new BoundTransaction(tx, tx, true);
  }

  /** Of a body that only reads. */
  static BoundTransaction ofReads(ReadTransaction tx) {
    return new BoundTransaction(tx, null, true);
  }

  /** Of a transaction manager, which ends it. */
  static BoundTransaction ofCaller(Transaction tx, boolean readOnly) {
    return new BoundTransaction(tx, readOnly ? null : tx, false);
  }

  /** The one that this thread is in, null where it is in none. */
  static @Nullable BoundTransaction of(Canopy canopy) {
    return (BoundTransaction) TransactionSynchronizationManager.getResource(canopy);
  }

  void bind(Canopy canopy) {
    TransactionSynchronizationManager.bindResource(canopy, this);
  }

  static void unbind(Canopy canopy) {
    TransactionSynchronizationManager.unbindResource(canopy);
  }

  ReadTransaction reads() {
    return reads;
  }

  /**
   * For writing.
   *
   * @throws IllegalTransactionStateException if this one only reads
   */
  Transaction updates() {
    if (updates == null) {
      throw new IllegalTransactionStateException(
          "the Canopy transaction of this thread only reads: begin it without readOnly");
    }
    return updates;
  }

  boolean isRetried() {
    return retried;
  }

  boolean isRollbackOnly() {
    return rollbackOnly;
  }

  void setRollbackOnly() {
    rollbackOnly = true;
  }
}
