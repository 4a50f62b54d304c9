package io.canopygrid.jcache;

import io.canopygrid.jcache.entry.CachedValue;
import io.canopygrid.jcache.entry.ExpiryTimes;
import io.canopygrid.jcache.entry.KeyOperations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls for many keys. Up to {@value #KEYS_MAX} keys are one transaction; more are several, one
 * after the other, so such a call can end half way. Thread-safe.
 */
final class CacheBatches<K, V> {
  /** The most keys of one transaction. */
  static final int KEYS_MAX = 1_000;

  /** The entries of a page, whose values are in memory together. */
  private static final int PAGE = 256;

  private final CacheTransactions<K, V> transactions;
  private final CacheReads<K, V> reads;

  CacheBatches(CacheTransactions<K, V> transactions, CacheReads<K, V> reads) {
    this.transactions = transactions;
    this.reads = reads;
  }

  /** The keys in parts of one transaction each. */
  static <K> List<Set<K>> parts(Set<? extends K> keys) {
    List<Set<K>> parts = new ArrayList<>();
    Set<K> part = new LinkedHashSet<>();
    for (K key : keys) {
      part.add(key);
      if (part.size() == KEYS_MAX) {
        parts.add(part);
        part = new LinkedHashSet<>();
      }
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  void put(K key, V value) {
    if (!putBlindly(Map.of(key, value))) {
      transactions.change(attempt -> {
        KeyOperations.put(attempt, key, value);
        return true;
      });
    }
  }

  void putAll(Map<? extends K, ? extends V> entries) {
    for (Set<K> keys : CacheBatches.<K>parts(entries.keySet())) {
      Map<K, V> part = new LinkedHashMap<>();
      keys.forEach(key -> part.put(key, entries.get(key)));
      if (!putBlindly(part)) {
        transactions.change(attempt -> {
          attempt.putAll(part);
          return true;
        });
      }
    }
  }

  /**
   * Puts without a look at what is there, where nothing depends on that: no listener, no writer, no
   * policy. Such a transaction reads nothing and so cannot conflict.
   *
   * @return whether it was put
   */
  private boolean putBlindly(Map<K, V> entries) {
    ExpiryTimes expiry = transactions.expiry();
    if (!expiry.isSameForUpdates()
        || transactions.writer().isOn()
        || !transactions.reports().listeners().isEmpty()) {
      return false;
    }
    long now = transactions.clock().millis();
    long until = expiry.created(now);
    if (until <= now) {
      return false; // such a value is not put, which changes what there is to do
    }
    transactions.change(attempt -> {
      entries.forEach((key, value) -> attempt.putBlindly(key, value, until));
      return true;
    });
    return true;
  }

  void removeAll(Set<? extends K> keys) {
    for (Set<K> part : CacheBatches.<K>parts(keys)) {
      transactions.change(attempt -> {
        attempt.removeAll(part);
        return true;
      });
    }
  }

  /** Takes all keys away that are there, page by page. */
  void removeAll() {
    @Nullable K above = null;
    List<Map.Entry<K, CachedValue<V>>> page;
    do {
      page = reads.page(above, PAGE);
      Map<K, CachedValue<V>> entries = new LinkedHashMap<>();
      page.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
      if (!page.isEmpty()) {
        above = page.get(page.size() - 1).getKey();
        removeLive(entries);
      }
    } while (page.size() == PAGE);
  }

  private void removeLive(Map<K, CachedValue<V>> entries) {
    List<K> expired = new ArrayList<>();
    List<K> live = new ArrayList<>();
    entries.forEach((key, cached) -> (reads.isLive(cached) ? live : expired).add(key));
    reads.expire(expired);
    if (!live.isEmpty()) {
      transactions.change(attempt -> {
        attempt.removeAll(live);
        return true;
      });
    }
  }

  /** Takes those keys away that have expired, page by page, until this is to end. */
  void removeExpired(BooleanSupplier ends) {
    @Nullable K above = null;
    List<Map.Entry<K, CachedValue<V>>> page;
    do {
      page = reads.page(above, PAGE);
      List<K> expired = new ArrayList<>();
      for (Map.Entry<K, CachedValue<V>> entry : page) {
        above = entry.getKey();
        if (!reads.isLive(entry.getValue())) {
          expired.add(above);
        }
      }
      reads.expire(expired);
    } while (page.size() == PAGE && !ends.getAsBoolean());
  }
}
