package io.canopygrid;

import org.jspecify.annotations.Nullable;

/**
 * The change of one entry by a transaction, as a {@link ChangeFeed} tells it. At least one of the
 * two values is there.
 *
 * @param key the key of the entry
 * @param before the value before the transaction; null: the entry was inserted
 * @param after the value since then; null: the entry was removed
 * @param <K> keys
 * @param <V> values
 */
public record Change<K, V>(K key, @Nullable V before, @Nullable V after) {
  /** Refuses a null key. */
  public Change {
    Arguments.notNull("key", key);
  }
}
