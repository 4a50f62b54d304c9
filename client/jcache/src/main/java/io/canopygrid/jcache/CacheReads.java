package io.canopygrid.jcache;

import io.canopygrid.Cursor;
import io.canopygrid.Range;
import io.canopygrid.jcache.entry.CachedValue;
import io.canopygrid.jcache.entry.ReadThrough;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a cache. A read is a read-only transaction; only if entries have expired, are to be
 * loaded, or get another time by being read, a second transaction does that. Thread-safe.
 */
final class CacheReads<K, V> {
  private final CacheTransactions<K, V> transactions;
  private final ReadThrough<K, V> loader;

  CacheReads(CacheTransactions<K, V> transactions, ReadThrough<K, V> loader) {
    this.transactions = transactions;
    this.loader = loader;
  }

  /** The key's value, loaded if that is to be; null where there is none. */
  @Nullable V get(K key) {
    CachedValue<V> cached = transactions.read(view -> view.get(key));
    if (isLive(cached)) {
      transactions.reports().read(1, 0);
      touch(Map.of(key, cached));
      return cached.value();
    }
    transactions.reports().read(0, 1);
    if (cached != null) {
      expire(List.of(key));
    }
    V loaded = loader.onMiss(key);
    return loaded == null ? null : keep(Map.of(key, loaded), false).get(key);
  }

  /** The values of those keys that have one, or for which one was loaded. */
  Map<K, V> getAll(Set<? extends K> keys) {
    Map<K, CachedValue<V>> found =
        transactions.read(view -> {
          Map<K, CachedValue<V>> all = new LinkedHashMap<>();
          for (K key : keys) {
            CachedValue<V> cached = view.get(key);
            if (cached != null) {
              all.put(key, cached);
            }
          }
          return all;
        });
    Map<K, V> values = lookedAt(found);
    Set<K> missing = new LinkedHashSet<>(keys);
    missing.removeAll(values.keySet());
    transactions.reports().read(values.size(), missing.size());
    if (loader.isOnMisses() && !missing.isEmpty()) {
      values.putAll(keep(loader.loadAll(missing), false));
    }
    return values;
  }

  boolean containsKey(K key) {
    CachedValue<V> cached = transactions.read(view -> view.get(key));
    if (cached != null && !isLive(cached)) {
      expire(List.of(key));
    }
    return isLive(cached);
  }

  /**
   * Entries above a key, in the order of the index, those that have expired included.
   *
   * @param above null: from the first one
   * @param most at least 1
   */
  List<Map.Entry<K, CachedValue<V>>> page(@Nullable K above, int most) {
    Range<K> range = above == null ? Range.all() : Range.greaterThan(above);
    return transactions.read(view -> {
      try (Cursor<K, CachedValue<V>> cursor = view.scan(range).limit(most)) {
        return cursor.stream().toList();
      }
    });
  }

  /** Whether the entry is there and is to be seen. */
  boolean isLive(@Nullable CachedValue<V> cached) {
    return cached != null && !cached.isExpired(transactions.clock().millis());
  }

  /** Takes those keys away that have expired. */
  void expire(Collection<K> keys) {
    if (!keys.isEmpty()) {
      transactions.change(attempt -> {
        keys.forEach(attempt::live);
        return true;
      });
    }
  }

  /** The values of entries that were read, after what the read makes of the entries. */
  Map<K, V> lookedAt(Map<K, CachedValue<V>> read) {
    Map<K, V> values = new LinkedHashMap<>();
    Map<K, CachedValue<V>> live = new LinkedHashMap<>();
    List<K> expired = new ArrayList<>();
    read.forEach((key, cached) -> {
      if (isLive(cached)) {
        values.put(key, cached.value());
        live.put(key, cached);
      } else {
        expired.add(key);
      }
    });
    touch(live);
    expire(expired);
    return values;
  }

  /** A time that is to be another one. */
  private record Touch<K>(K key, long readMillis, long untilMillis) {}

  private void touch(Map<K, CachedValue<V>> read) {
    long now = transactions.clock().millis();
    List<Touch<K>> touches = new ArrayList<>();
    read.forEach((key, cached) -> {
      long until = transactions.expiry().accessed(now, cached.expiresMillis());
      if (until != cached.expiresMillis()) {
        touches.add(new Touch<>(key, cached.expiresMillis(), until));
      }
    });
    if (!touches.isEmpty()) {
      transactions.change(attempt -> {
        touches.forEach(one -> attempt.touch(one.key(), one.readMillis(), one.untilMillis()));
        return true;
      });
    }
  }

  /**
   * Keeps what was loaded. The writer is not told: it comes from there.
   *
   * @param replaces whether values that are there meanwhile go
   * @return what the index has after that, or would have if it did not expire at once
   */
  Map<K, V> keep(Map<? extends K, ? extends V> loaded, boolean replaces) {
    return transactions.change(attempt -> {
      Map<K, V> kept = new LinkedHashMap<>();
      loaded.forEach((key, value) -> {
        CachedValue<V> old = attempt.live(key);
        if (old == null || replaces) {
          attempt.set(key, value, old);
          kept.put(key, value);
        } else {
          kept.put(key, old.value());
        }
      });
      return kept;
    });
  }
}
