package io.canopygrid.typed;

import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.OpenIndex;

/**
 * An index of one handle.
 *
 * @param owner the handle's own, by which a foreign index is told
 */
public record TypedIndex<K, V>(Handle owner, OpenIndex opened, EntryCodec<K, V> entries)
    implements Index<K, V> {
  @Override
  public String name() {
    return opened.name();
  }

  @Override
  public Codec<K> keyCodec() {
    return entries.keys();
  }

  @Override
  public Codec<V> valueCodec() {
    return entries.values();
  }

  @Override
  public IndexOptions options() {
    return opened.options();
  }

  /** For people. */
  @Override
  public String toString() {
    return "index '" + name() + "' " + keyCodec().id() + " -> " + valueCodec().id();
  }
}
