package io.canopygrid.spi;

import io.canopygrid.Index;
import io.canopygrid.ReadTransaction;
import io.canopygrid.ReadView;
import io.canopygrid.Table;
import io.canopygrid.TableReadView;

/** A read-only transaction: its views have no writes. */
final class SnapshotTransaction extends OpenTransaction implements ReadTransaction {
  SnapshotTransaction(Handle owner, EngineTransaction engine) {
    super(owner, engine);
  }

  @Override
  public <K, V> ReadView<K, V> on(Index<K, V> index) {
    return new TypedReadView<>(this, checked(index));
  }

  @Override
  public <K, R> TableReadView<K, R> on(Table<K, R> table) {
    TypedTable<K, R> own = checked(table);
    return new TypedTableReadView<>(this, own, new TypedReadView<>(this, own.rows()));
  }
}
