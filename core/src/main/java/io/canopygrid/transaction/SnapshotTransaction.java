package io.canopygrid.transaction;

import io.canopygrid.Index;
import io.canopygrid.ReadTransaction;
import io.canopygrid.ReadView;
import io.canopygrid.Table;
import io.canopygrid.TableReadView;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.table.TypedTable;
import io.canopygrid.typed.Handle;
import io.canopygrid.typed.OpenTransaction;
import io.canopygrid.typed.TypedReadView;

/** A read-only transaction: its views have no writes. */
public final class SnapshotTransaction extends OpenTransaction implements ReadTransaction {
  /** An open transaction of a handle. */
  public SnapshotTransaction(Handle owner, EngineTransaction engine) {
    super(owner, engine);
  }

  @Override
  public <K, V> ReadView<K, V> on(Index<K, V> index) {
    return new TypedReadView<>(this, checked(index));
  }

  @Override
  public <K, R> TableReadView<K, R> on(Table<K, R> table) {
    return TypedTable.readView(this, table);
  }
}
