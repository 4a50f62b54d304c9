package io.canopygrid.jcache.entry;

import javax.cache.Cache;

/**
 * An entry that is handed out. Immutable.
 *
 * @param <K> keys
 * @param <V> values
 */
public record CacheEntry<K, V>(K key, V value) implements Cache.Entry<K, V> {
  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an entry is no " + type.getName());
  }
}
