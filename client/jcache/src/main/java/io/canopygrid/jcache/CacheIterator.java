package io.canopygrid.jcache;

import io.canopygrid.jcache.entry.CacheEntry;
import io.canopygrid.jcache.entry.CachedValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache in the order of the index, in pages of one snapshot each, with nothing
 * open between them. An entry that expires after its page was read is left out too. Confined to one
 * thread.
 */
final class CacheIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
  private static final int FIRST_PAGE = 16;
  private static final int PAGE_MAX = 256;

  private final CacheReads<K, V> reads;
  private final CacheReports<K, V> reports;
  private final Consumer<K> removal;
  private final Deque<Map.Entry<K, CachedValue<V>>> page = new ArrayDeque<>();
  private @Nullable K above;
  private @Nullable K current;
  private int size = FIRST_PAGE;
  private boolean ended;

  /** The removal takes a key away. */
  CacheIterator(CacheReads<K, V> reads, CacheReports<K, V> reports, Consumer<K> removal) {
    this.reads = reads;
    this.reports = reports;
    this.removal = removal;
  }

  @Override
  public boolean hasNext() {
    dropExpired();
    while (page.isEmpty() && !ended) {
      fetch();
      dropExpired();
    }
    return !page.isEmpty();
  }

  private void fetch() {
    List<Map.Entry<K, CachedValue<V>>> fetched = reads.page(above, size);
    ended = fetched.size() < size;
    size = Math.min(PAGE_MAX, 2 * size);
    if (!fetched.isEmpty()) {
      above = fetched.get(fetched.size() - 1).getKey();
    }
    page.addAll(fetched);
  }

  private void dropExpired() {
    List<K> expired = new ArrayList<>();
    while (!page.isEmpty() && !reads.isLive(page.getFirst().getValue())) {
      expired.add(page.removeFirst().getKey());
    }
    reads.expire(expired);
  }

  @Override
  public Cache.Entry<K, V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all entries were handed out");
    }
    Map.Entry<K, CachedValue<V>> next = page.removeFirst();
    current = next.getKey();
    reports.read(1, 0);
    reads.lookedAt(Map.of(next.getKey(), next.getValue()));
    return new CacheEntry<>(next.getKey(), next.getValue().value());
  }

  @Override
  public void remove() {
    K key = current;
    if (key == null) {
      throw new IllegalStateException("there is no entry to remove");
    }
    current = null;
    removal.accept(key);
  }
}
