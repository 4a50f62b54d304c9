package io.canopygrid.jcache.entry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a cache, or none. Thread-safe if the writer is.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class WriteThrough<K, V> {
  private final @Nullable CacheWriter<? super K, ? super V> writer;

  /** Of a writer; null: changes go to the index alone. */
  public WriteThrough(@Nullable CacheWriter<? super K, ? super V> writer) {
    this.writer = writer;
  }

  /**
   * The part of many changes that a writer has not written.
   *
   * @param keys those that it has not written
   * @param failure why; null: it has written all
   */
  public record Unwritten<K>(Set<K> keys, @Nullable CacheWriterException failure) {}

  /** Whether there is one. */
  public boolean isOn() {
    return writer != null;
  }

  /** The writer. */
  public @Nullable Object writer() {
    return writer;
  }

  void write(K key, V value) {
    if (writer != null) {
      try {
        writer.write(new CacheEntry<>(key, value));
      } catch (RuntimeException e) {
        throw failure("a value", e);
      }
    }
  }

  void delete(K key) {
    if (writer != null) {
      try {
        writer.delete(key);
      } catch (RuntimeException e) {
        throw failure("a deletion", e);
      }
    }
  }

  Unwritten<K> writeAll(Map<? extends K, ? extends V> entries) {
    if (writer == null) {
      return new Unwritten<>(Set.of(), null);
    }
    // The writer takes out of it what it has written.
    List<Cache.Entry<? extends K, ? extends V>> rest = new ArrayList<>();
    entries.forEach((key, value) -> rest.add(new CacheEntry<>(key, value)));
    try {
      writer.writeAll(asWriterWantsIt(rest));
      return new Unwritten<>(Set.of(), null);
    } catch (RuntimeException e) {
      Set<K> keys = new HashSet<>();
      rest.forEach(entry -> keys.add(entry.getKey()));
      return new Unwritten<>(keys, failure("some values", e));
    }
  }

  Unwritten<K> deleteAll(Collection<? extends K> keys) {
    if (writer == null) {
      return new Unwritten<>(Set.of(), null);
    }
    Set<K> rest = new HashSet<>(keys);
    try {
      writer.deleteAll(rest);
      return new Unwritten<>(Set.of(), null);
    } catch (RuntimeException e) {
      return new Unwritten<>(rest, failure("some deletions", e));
    }
  }

  /** The writer only takes entries out, so the types of its own may be above K and V. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> Collection<T> asWriterWantsIt(Collection entries) {
    return entries;
  }

  private static CacheWriterException failure(String what, RuntimeException cause) {
    return cause instanceof CacheWriterException known
        ? known
        : new CacheWriterException("the writer did not write " + what + ": " + cause, cause);
  }
}
