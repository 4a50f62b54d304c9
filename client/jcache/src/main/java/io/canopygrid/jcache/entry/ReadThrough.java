package io.canopygrid.jcache.entry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/**
 * The loader of a cache, or none. Thread-safe if the loader is.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class ReadThrough<K, V> {
  private final @Nullable CacheLoader<K, V> loader;
  private final boolean onMisses;

  /**
   * Of a loader.
   *
   * @param loader null: there is none
   * @param onMisses whether it is asked for what a read does not find
   */
  public ReadThrough(@Nullable CacheLoader<K, V> loader, boolean onMisses) {
    this.loader = loader;
    this.onMisses = onMisses;
  }

  /** Whether there is a loader. */
  public boolean exists() {
    return loader != null;
  }

  /** Whether it is asked for what a read does not find. */
  public boolean isOnMisses() {
    return loader != null && onMisses;
  }

  /** The loader. */
  public @Nullable Object loader() {
    return loader;
  }

  /** The value of a key that a read has not found; null where there is none. */
  public @Nullable V onMiss(K key) {
    if (loader == null || !onMisses) {
      return null;
    }
    try {
      return loader.load(key);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  /** The values of those of these keys that have one. */
  public Map<K, V> loadAll(Set<? extends K> keys) {
    Map<K, V> loaded = new LinkedHashMap<>();
    if (loader == null) {
      return loaded;
    }
    try {
      loader
          .loadAll(keys)
          .forEach((key, value) -> {
            if (value != null && keys.contains(key)) {
              loaded.put(key, value);
            }
          });
    } catch (RuntimeException e) {
      throw failure(e);
    }
    return loaded;
  }

  private static CacheLoaderException failure(RuntimeException cause) {
    return cause instanceof CacheLoaderException known
        ? known
        : new CacheLoaderException("the loader failed: " + cause, cause);
  }
}
