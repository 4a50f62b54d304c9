package io.canopygrid.map;

import java.util.NavigableMap;

/** An index in a transaction. Confined to the transaction's thread. */
final class TransactionMap<K, V> extends IndexMap<K, V, NavigableMap<K, V>> {
  TransactionMap(Slice<K, V> slice) {
    super(slice);
  }

  @Override
  NavigableMap<K, V> of(Slice<K, V> other) {
    return new TransactionMap<>(other);
  }
}
