package io.canopygrid.spi;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Table;
import io.canopygrid.TableView;
import io.canopygrid.Transaction;
import io.canopygrid.clock.VectorClock;
import org.jspecify.annotations.Nullable;

/** An update transaction: of a body, or the caller's own. */
class UpdateTransaction extends OpenTransaction implements Transaction {
  private final @Nullable Ending ending;

  /**
   * An open transaction.
   *
   * @param ending hears how the caller ends it; null: its body ends it
   */
  UpdateTransaction(Handle owner, EngineTransaction engine, @Nullable Ending ending) {
    super(owner, engine);
    this.ending = ending;
  }

  /** Hears how a caller's own transaction ends. */
  interface Ending {
    void committed(VectorClock clock);

    void failed(CanopyException e);

    /** In any case, after the other two. */
    void ended();
  }

  @Override
  public <K, V> MutableView<K, V> on(Index<K, V> index) {
    return new TypedView<>(this, checked(index));
  }

  @Override
  public <K, R> TableView<K, R> on(Table<K, R> table) {
    TypedTable<K, R> own = checked(table);
    return new TypedTableView<>(this, own, new TypedView<>(this, own.rows()));
  }

  @Override
  public void commit() {
    checkOpen();
    Ending byCaller = byCaller("commit");
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
          ErrorCode.INVALID_ARGUMENT, what + " was called on a transaction that its body ends");
    }
    return ending;
  }
}
