package io.canopygrid.btree.embedded;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.spi.EntryCodec;

/**
 * An index of one handle.
 *
 * @param owner the handle's own, by which a foreign index is told
 */
record EmbeddedIndex<K, V>(
    Handle owner, IndexRef ref, EntryCodec<K, V> entries, IndexOptions options)
    implements Index<K, V> {
  @Override
  public String name() {
    return ref.name();
  }

  @Override
  public Codec<K> keyCodec() {
    return entries.keys();
  }

  @Override
  public Codec<V> valueCodec() {
    return entries.values();
  }

  /** For people. */
  @Override
  public String toString() {
    return "index '" + name() + "' " + keyCodec().id() + " -> " + valueCodec().id();
  }
}
