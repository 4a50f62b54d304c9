package io.canopygrid.spi;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Table;
import io.canopygrid.clock.VectorClock;
import org.jspecify.annotations.Nullable;

/** What update and read-only transactions share. Confined to one thread at a time. */
abstract class OpenTransaction {
  private final Handle owner;
  private final EngineTransaction engine;
  private CommitState outcome = CommitState.NOT_COMMITTED;
  private boolean open = true;

  /**
   * An open transaction.
   *
   * @param owner the handle's own, which its indexes have too
   */
  OpenTransaction(Handle owner, EngineTransaction engine) {
    this.owner = owner;
    this.engine = engine;
  }

  /** Names the transaction in errors. */
  public final String id() {
    return engine.id();
  }

  final EngineTransaction engine() {
    return engine;
  }

  final boolean isOpen() {
    return open;
  }

  /** Commits; the clock of what it has seen and done. */
  final VectorClock end() {
    open = false;
    try {
      VectorClock clock = engine.commit();
      outcome = CommitState.COMMITTED;
      return clock;
    } catch (CanopyException e) {
      outcome = e.commitState();
      throw e;
    }
  }

  /** Ends it without effect where it is open. */
  final void abandon() {
    if (open) {
      open = false;
      engine.end();
    }
  }

  final void checkOpen() {
    if (!open) {
      throw new CanopyException(
          ErrorCode.TRANSACTION_CLOSED, "the transaction has ended", outcome, id(), null);
    }
  }

  /** The index, if it is one of this transaction's handle. */
  final <K, V> TypedIndex<K, V> checked(@Nullable Index<K, V> index) {
    checkOpen();
    notNull("the index", index);
    if (index instanceof TypedIndex<K, V> own && own.owner() == owner) {
      return own;
    }
    throw error(ErrorCode.FOREIGN_INDEX, index + " is of another handle");
  }

  /** The table, if it is one of this transaction's handle. */
  final <K, R> TypedTable<K, R> checked(@Nullable Table<K, R> table) {
    checkOpen();
    notNull("the table", table);
    if (table instanceof TypedTable<K, R> own && own.owner() == owner) {
      return own;
    }
    throw error(ErrorCode.FOREIGN_INDEX, table + " is of another handle");
  }

  final void notNull(String what, @Nullable Object value) {
    if (value == null) {
      throw error(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
  }

  final CanopyException error(ErrorCode code, String detail) {
    return new CanopyException(code, detail, CommitState.NOT_COMMITTED, id(), null);
  }
}
