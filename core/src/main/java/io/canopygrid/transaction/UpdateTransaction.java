package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Table;
import io.canopygrid.TableView;
import io.canopygrid.Transaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.table.TypedTable;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedView;
import org.jspecify.annotations.Nullable;

/** An update transaction: of a body, or the caller's own. */
public class UpdateTransaction extends OpenTransaction implements Transaction {
  private final @Nullable Ending ending;

  /**
   * An open transaction.
   *
   * @param ending hears how the caller ends it; null: its body, or a transaction manager, ends it
   */
  public UpdateTransaction(Handle owner, EngineTransaction engine, @Nullable Ending ending) {
    super(owner, engine);
    this.ending = ending;
  }

  /** Hears how a caller's own transaction ends. */
  public interface Ending {
    /** The transaction is about to commit. */
    void commits();

    /** The transaction has committed. */
    void committed(VectorClock clock);

    /** The transaction has failed to commit. */
    void failed(CanopyException e);

    /** Runs in any case, after the others. */
    void ended();
  }

  @Override
  public <K, V> MutableView<K, V> on(Index<K, V> index) {
    return new TypedView<>(this, checked(index));
  }

  @Override
  public <K, R> TableView<K, R> on(Table<K, R> table) {
    return TypedTable.view(this, table);
  }

  @Override
  public void commit() {
    checkOpen();
    Ending byCaller = byCaller("commit");
    byCaller.commits();
    try {
      byCaller.committed(end());
    } catch (CanopyException e) {
      byCaller.failed(e);
      throw e;
    } finally {
      byCaller.ended();
    }
  }

  @Override
  public void rollback() {
    Ending byCaller = byCaller("rollback");
    if (isOpen()) {
      abandon();
      byCaller.ended();
    }
  }

  @Override
  public void close() {
    rollback();
  }

  private Ending byCaller(String what) {
    if (ending == null) {
      throw error(
          ErrorCode.INVALID_ARGUMENT,
          what + " was called on a transaction that its body, or a transaction manager, ends");
    }
    return ending;
  }
}
