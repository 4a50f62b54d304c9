package io.canopygrid.jcache.event;

import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entry.
 *
 * @param value the new value; of an entry that is gone the last one
 * @param old the value before, null if there was none
 * @param <K> keys
 * @param <V> values
 */
public record CacheChange<K, V>(EventType type, K key, V value, @Nullable V old) {
  /** A new entry. */
  public static <K, V> CacheChange<K, V> created(K key, V value) {
    return new CacheChange<>(EventType.CREATED, key, value, null);
  }

  /** Another value of an entry. */
  public static <K, V> CacheChange<K, V> updated(K key, V value, V old) {
    return new CacheChange<>(EventType.UPDATED, key, value, old);
  }

  /** An entry that was taken away. */
  public static <K, V> CacheChange<K, V> removed(K key, V old) {
    return new CacheChange<>(EventType.REMOVED, key, old, old);
  }

  /** An entry whose time is over. */
  public static <K, V> CacheChange<K, V> expired(K key, V old) {
    return new CacheChange<>(EventType.EXPIRED, key, old, old);
  }

  /** Whether the entry is gone. */
  boolean isGone() {
    return type == EventType.REMOVED || type == EventType.EXPIRED;
  }
}
