package io.canopygrid.map;

import java.util.concurrent.ConcurrentNavigableMap;

/** An index with a transaction for each call. Thread-safe. */
final class AutocommitMap<K, V> extends IndexMap<K, V, ConcurrentNavigableMap<K, V>>
    implements ConcurrentNavigableMap<K, V> {
  AutocommitMap(Slice<K, V> slice) {
    super(slice);
  }

  @Override
  ConcurrentNavigableMap<K, V> of(Slice<K, V> other) {
    return new AutocommitMap<>(other);
  }
}
