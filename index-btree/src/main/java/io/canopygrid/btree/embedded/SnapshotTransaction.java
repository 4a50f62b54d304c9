package io.canopygrid.btree.embedded;

import io.canopygrid.Index;
import io.canopygrid.ReadTransaction;
import io.canopygrid.ReadView;
import io.canopygrid.btree.access.TreeTransaction;

/** A read-only transaction: its views have no writes. */
final class SnapshotTransaction extends OpenTransaction implements ReadTransaction {
  SnapshotTransaction(Handle owner, TreeTransaction tree) {
    super(owner, tree);
  }

  @Override
  public <K, V> ReadView<K, V> on(Index<K, V> index) {
    return new EmbeddedReadView<>(this, checked(index));
  }
}
