package io.canopygrid.map;

import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way from a map to its index: through the view of one transaction, or through transactions of
 * its own. A body takes effect as a whole or not at all, and may be run again.
 *
 * @param <K> keys
 * @param <V> values
 */
interface IndexAccess<K, V> {
  /** Reads. */
  <T extends @Nullable Object> T read(Function<ReadView<K, V>, T> body);

  /**
   * Reads and writes.
   *
   * @throws UnsupportedOperationException where the index is only read
   */
  <T extends @Nullable Object> T write(Function<MutableView<K, V>, T> body);

  /** The entries within bounds; nothing is read before the first one is asked for. */
  Iterator<Map.Entry<K, V>> entries(Bounds<K> bounds, boolean descending);

  /**
   * Sets the value of an entry that an iterator has handed out.
   *
   * @throws IllegalStateException if it is noticed that the entry is gone
   */
  void set(K key, V value);

  /**
   * Takes away an entry that an iterator has handed out, unless it has another value by now.
   *
   * @return whether it was taken away
   */
  boolean remove(Map.Entry<K, V> seen, ValueForm<V> values);

  /** Takes away all entries within bounds. */
  void clear(Bounds<K> bounds);
}
