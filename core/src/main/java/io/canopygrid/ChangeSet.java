package io.canopygrid;

import java.util.List;

/**
 * All that one committed transaction has changed in one index, as a {@link ChangeFeed} tells it.
 *
 * @param changes in ascending order of the encoded keys; each key once; never empty
 * @param <K> keys
 * @param <V> values
 */
public record ChangeSet<K, V>(List<Change<K, V>> changes) {
  /** Copies the list. */
  public ChangeSet {
    changes = List.copyOf(changes);
  }
}
