package io.canopygrid.typed;

import io.canopygrid.Codec;

/** Opens the indexes of one handle, and creates those that are not there. Thread-safe. */
public interface IndexOpener {
  /**
   * The index of a name, created where there is none.
   *
   * @throws io.canopygrid.CanopyException where it has other codecs, or may not be opened
   */
  <K, V> TypedIndex<K, V> open(String name, Codec<K> keys, Codec<V> values);
}
