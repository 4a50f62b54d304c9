package io.canopygrid.gmu.spi;

import org.jspecify.annotations.Nullable;

/**
 * An unchanging ordered map, in the unsigned order of its keys' bytes. Thread-safe, and valid for
 * as long as it is referenced.
 */
public interface OrderedView<V> {
  /** The value of a key; null: there is none. */
  @Nullable V get(byte[] key);

  /** The number of keys. */
  int size();

  /** Entries from the first key that is at or above {@code from}, upwards. */
  OrderedCursor<V> ascending(byte[] from);

  /**
   * Entries downwards.
   *
   * @param below the first entry returned is the greatest strictly below this key; null: the
   *     greatest of all
   */
  OrderedCursor<V> descending(byte @Nullable [] below);
}
