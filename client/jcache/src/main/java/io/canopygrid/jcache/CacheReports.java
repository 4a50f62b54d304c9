package io.canopygrid.jcache;

import io.canopygrid.jcache.entry.AttemptEffects;
import io.canopygrid.jcache.event.CacheListeners;
import io.canopygrid.jcache.management.CacheCounts;
import javax.cache.Cache;
import javax.cache.integration.CacheWriterException;

/** Where a cache object tells what it has done: its statistics and its listeners. Thread-safe. */
final class CacheReports<K, V> {
  private final Cache<K, V> source;
  private final CacheListeners<K, V> listeners;
  private final CacheCounts counts = new CacheCounts();
  private volatile boolean counting;

  CacheReports(Cache<K, V> source, String name) {
    this.source = source;
    this.listeners = new CacheListeners<>(name);
  }

  CacheListeners<K, V> listeners() {
    return listeners;
  }

  CacheCounts counts() {
    return counts;
  }

  void count(boolean on) {
    counting = on;
  }

  /**
   * Tells of a transaction that is committed.
   *
   * @throws CacheWriterException where only a part of it was to be committed
   * @throws javax.cache.event.CacheEntryListenerException of a synchronous listener
   */
  void committed(AttemptEffects<K, V> effects) {
    if (counting) {
      counts.add(effects.hits(), effects.misses(), effects.puts(), effects.removals());
    }
    listeners.tell(source, effects.changes());
    CacheWriterException failure = effects.failure();
    if (failure != null) {
      throw failure;
    }
  }

  void read(long hits, long misses) {
    if (counting) {
      counts.add(hits, misses, 0, 0);
    }
  }

  void timed(CacheCounts.Kind kind, long beginNanos) {
    if (counting) {
      counts.time(kind, System.nanoTime() - beginNanos);
    }
  }
}
