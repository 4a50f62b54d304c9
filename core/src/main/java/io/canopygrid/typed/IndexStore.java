package io.canopygrid.typed;

import io.canopygrid.Codec;
import io.canopygrid.engine.OpenIndex;

/** Opens, finds and drops the indexes of which the tables of one handle are made. Thread-safe. */
public interface IndexStore extends IndexOpener {
  /**
   * The index of a name, which is not created; also one that was dropped, as long as a snapshot in
   * use may have it.
   *
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#UNKNOWN_INDEX}, or where
   *     it has other codecs
   */
  <K, V> TypedIndex<K, V> find(String name, Codec<K> keys, Codec<V> values);

  /**
   * Checks whether indexes can be dropped.
   *
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#PROTOCOL_ERROR}
   */
  void checkDrops();

  /** Drops an index, and no other one of its name; whether it was there still. */
  boolean drop(OpenIndex index);
}
