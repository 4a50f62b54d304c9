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

  /** How keys are encoded; gives the order of the index. */
  Codec<K> keyCodec();

  /** How values are encoded. */
  Codec<V> valueCodec();

  /** The options the index was created with. */
  IndexOptions options();
}
