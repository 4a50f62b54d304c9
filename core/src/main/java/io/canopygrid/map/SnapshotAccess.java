package io.canopygrid.map;

import io.canopygrid.Cursor;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The view of a transaction that only reads. Confined to the transaction's thread. */
class SnapshotAccess<K, V> implements IndexAccess<K, V> {
  private final ReadView<K, V> view;

  SnapshotAccess(ReadView<K, V> view) {
    this.view = view;
  }

  @Override
  public final <T extends @Nullable Object> T read(Function<ReadView<K, V>, T> body) {
    return body.apply(view);
  }

  @Override
  public <T extends @Nullable Object> T write(Function<MutableView<K, V>, T> body) {
    throw new UnsupportedOperationException("the transaction only reads");
  }

  /** A cursor that is left before its end is freed with the transaction. */
  @Override
  public final Iterator<Map.Entry<K, V>> entries(Bounds<K> bounds, boolean descending) {
    Cursor<K, V> cursor = view.scan(bounds.range());
    return (descending ? cursor.reverse() : cursor).iterator();
  }

  @Override
  public final void set(K key, V value) {
    write(mutable -> {
      mutable.put(key, value);
      return key;
    });
  }

  /** Nobody else changes what this transaction sees. */
  @Override
  public final boolean remove(Map.Entry<K, V> seen, ValueForm<V> values) {
    return write(mutable -> {
      mutable.remove(seen.getKey());
      return true;
    });
  }

  @Override
  public final void clear(Bounds<K> bounds) {
    write(mutable -> mutable.removeRange(bounds.range()));
  }
}
