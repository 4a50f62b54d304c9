package io.canopygrid.jcache.entry;

import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import org.jspecify.annotations.Nullable;

/** The operations of JCache on one key, as bodies of a transaction. */
public final class KeyOperations {
  private KeyOperations() {}

  /** {@code put}. */
  public static <K, V> void put(CacheAttempt<K, V> attempt, K key, V value) {
    attempt.put(key, value, attempt.live(key));
  }

  /** {@code getAndPut}. */
  public static <K, V> @Nullable V getAndPut(CacheAttempt<K, V> attempt, K key, V value) {
    CachedValue<V> old = attempt.read(key);
    attempt.put(key, value, old);
    return valueOf(old);
  }

  /** {@code putIfAbsent}. */
  public static <K, V> boolean putIfAbsent(CacheAttempt<K, V> attempt, K key, V value) {
    CachedValue<V> old = attempt.read(key);
    if (old == null) {
      attempt.put(key, value, null);
    }
    return old == null;
  }

  /** {@code remove} of a key. */
  public static <K, V> boolean remove(CacheAttempt<K, V> attempt, K key) {
    CachedValue<V> old = attempt.live(key);
    attempt.remove(key, old);
    return old != null;
  }

  /** {@code remove} of a key that has a value. */
  public static <K, V> boolean remove(CacheAttempt<K, V> attempt, K key, V expected) {
    CachedValue<V> old = attempt.read(key);
    if (old == null) {
      return false;
    }
    if (!old.value().equals(expected)) {
      attempt.touch(key, old);
      return false;
    }
    attempt.remove(key, old);
    return true;
  }

  /** {@code getAndRemove}. */
  public static <K, V> @Nullable V getAndRemove(CacheAttempt<K, V> attempt, K key) {
    CachedValue<V> old = attempt.read(key);
    attempt.remove(key, old);
    return valueOf(old);
  }

  /** {@code replace} of a value. */
  public static <K, V> boolean replace(CacheAttempt<K, V> attempt, K key, V expected, V value) {
    CachedValue<V> old = attempt.read(key);
    if (old == null) {
      return false;
    }
    if (!old.value().equals(expected)) {
      attempt.touch(key, old);
      return false;
    }
    attempt.put(key, value, old);
    return true;
  }

  /** {@code getAndReplace}, and {@code replace} of whatever value there is. */
  public static <K, V> @Nullable V getAndReplace(CacheAttempt<K, V> attempt, K key, V value) {
    CachedValue<V> old = attempt.read(key);
    if (old != null) {
      attempt.put(key, value, old);
    }
    return valueOf(old);
  }

  /** {@code invoke}. */
  public static <K, V, T extends @Nullable Object> T invoke(
      CacheAttempt<K, V> attempt,
      K key,
      ReadThrough<K, V> loader,
      EntryProcessor<K, V, T> processor,
      @Nullable Object... arguments) {
    ProcessedEntry<K, V> entry = new ProcessedEntry<>(key, attempt.read(key), loader);
    T result;
    try {
      result = processor.process(entry, arguments);
    } catch (CacheException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new EntryProcessorException("the entry processor failed: " + e, e);
    }
    entry.apply(attempt);
    return result;
  }

  private static <V> @Nullable V valueOf(@Nullable CachedValue<V> cached) {
    return cached == null ? null : cached.value();
  }
}
