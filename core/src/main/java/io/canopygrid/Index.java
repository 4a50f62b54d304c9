package io.canopygrid;

/**
 * One ordered map of the cluster, as {@link Canopy#index} returned it. A value without data of its
 * own: read and write it through {@link Transaction#on}. Immutable and thread-safe.
 *
 * @param <K> keys, ordered as their codec says
 * @param <V> values
 */
public interface Index<K, V> {
  /** The name it was created with. */
  String name();

  /** The codec of the keys; it gives the order of the index. */
  Codec<K> keyCodec();

  /** The codec of the values. */
  Codec<V> valueCodec();

  /** The options the index was created with. */
  IndexOptions options();
}
