package io.canopygrid.map;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;

/** Makes maps of indexes. */
public final class IndexMaps {
  private IndexMaps() {}

  /** An index in a transaction that only reads. */
  public static <K, V> NavigableMap<K, V> unmodifiable(
      ReadView<K, V> view, Codec<K> keys, Codec<V> values) {
    return new TransactionMap<>(whole(new SnapshotAccess<>(view), keys, values));
  }

  /** An index in an update transaction. */
  public static <K, V> NavigableMap<K, V> modifiable(
      MutableView<K, V> view, Codec<K> keys, Codec<V> values) {
    return new TransactionMap<>(whole(new UpdateAccess<>(view), keys, values));
  }

  /**
   * An index with a transaction for each call.
   *
   * @param options those of each transaction
   */
  public static <K, V> ConcurrentNavigableMap<K, V> autocommit(
      Canopy db, TransactionOptions options, Index<K, V> index) {
    IndexAccess<K, V> access = new AutocommitAccess<>(db, options, index);
    return new AutocommitMap<>(whole(access, index.keyCodec(), index.valueCodec()));
  }

  private static <K, V> Slice<K, V> whole(
      IndexAccess<K, V> access, Codec<K> keys, Codec<V> values) {
    Bounds<K> bounds = Bounds.all(new KeyOrder<>(keys));
    return new Slice<>(access, bounds, new ValueForm<>(values), false);
  }
}
