package io.canopygrid.jcache.entry;

import io.canopygrid.MutableView;
import io.canopygrid.jcache.entry.WriteThrough.Unwritten;
import io.canopygrid.jcache.event.CacheChange;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a transaction at entries of a cache: they expire as the policy says, and the
 * writer is told before the index is changed. Made anew when the body runs again, so nobody hears
 * of an attempt that was not committed, apart from the writer. Confined to one thread.
 *
 * <p><b>Order at the writer.</b> An attempt that calls the writer for a key has read that key. If
 * two of them commit, the second one's last attempt began after the first one's commit, and so the
 * writer was told of the second one's value last.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class CacheAttempt<K, V> {
  private final MutableView<K, CachedValue<V>> view;
  private final ExpiryTimes expiry;
  private final WriteThrough<K, V> writer;
  private final long nowMillis;
  private final AttemptEffects<K, V> effects = new AttemptEffects<>();

  /** Of a view of the index, at a time. */
  public CacheAttempt(
      MutableView<K, CachedValue<V>> view,
      ExpiryTimes expiry,
      WriteThrough<K, V> writer,
      long nowMillis) {
    this.view = view;
    this.expiry = expiry;
    this.writer = writer;
    this.nowMillis = nowMillis;
  }

  /** The results that are told of after the commit. */
  public AttemptEffects<K, V> effects() {
    return effects;
  }

  /** The key's value, null where there is none; one that has expired is taken away. */
  public @Nullable CachedValue<V> live(K key) {
    CachedValue<V> cached = view.get(key);
    if (cached == null || !cached.isExpired(nowMillis)) {
      return cached;
    }
    view.remove(key);
    effects.changed(CacheChange.expired(key, cached.value()));
    return null;
  }

  /** As {@link #live}, and counts as a read of the cache's user. */
  @Nullable CachedValue<V> read(K key) {
    CachedValue<V> cached = live(key);
    effects.read(cached != null);
    return cached;
  }

  /** Gives the key a value, in place of the one that {@link #live} has returned. */
  void put(K key, V value, @Nullable CachedValue<V> old) {
    writer.write(key, value);
    set(key, value, old);
  }

  /** The same for a value that comes from where the writer writes to. */
  public void set(K key, V value, @Nullable CachedValue<V> old) {
    if (old != null) {
      view.put(key, new CachedValue<>(value, expiry.updated(nowMillis, old.expiresMillis())));
      effects.changed(CacheChange.updated(key, value, old.value()));
      effects.put();
      return;
    }
    CachedValue<V> cached = new CachedValue<>(value, expiry.created(nowMillis));
    if (!cached.isExpired(nowMillis)) {
      view.put(key, cached);
      effects.changed(CacheChange.created(key, value));
      effects.put();
    }
  }

  /** Gives the key a value without looking at the one before. */
  public void putBlindly(K key, V value, long untilMillis) {
    view.put(key, new CachedValue<>(value, untilMillis));
    effects.put();
  }

  /** Takes the key away. */
  void remove(K key, @Nullable CachedValue<V> old) {
    writer.delete(key);
    drop(key, old);
  }

  private void drop(K key, @Nullable CachedValue<V> old) {
    if (old != null) {
      view.remove(key);
      effects.changed(CacheChange.removed(key, old.value()));
      effects.removed();
    }
  }

  /** Sets the time of an entry that was read. */
  void touch(K key, CachedValue<V> cached) {
    long until = expiry.accessed(nowMillis, cached.expiresMillis());
    if (until != cached.expiresMillis()) {
      view.put(key, cached.until(until));
    }
  }

  /**
   * Sets the time of an entry that was read before this transaction, unless that has changed. The
   * values are not compared: one that was read need not have the same bytes when it is written.
   */
  public void touch(K key, long readMillis, long untilMillis) {
    CachedValue<V> cached = live(key);
    if (cached != null && cached.expiresMillis() == readMillis) {
      view.put(key, cached.until(untilMillis));
    }
  }

  /** Gives all these keys their values, apart from those that the writer does not write. */
  public void putAll(Map<? extends K, ? extends V> entries) {
    Map<K, @Nullable CachedValue<V>> old = new LinkedHashMap<>();
    entries.keySet().forEach(key -> old.put(key, live(key)));
    Unwritten<K> not = writer.writeAll(entries);
    entries.forEach((key, value) -> {
      if (!not.keys().contains(key)) {
        set(key, value, old.get(key));
      }
    });
    effects.failed(not.failure());
  }

  /** Takes all these keys away, apart from those that the writer does not delete. */
  public void removeAll(Collection<? extends K> keys) {
    Map<K, @Nullable CachedValue<V>> old = new LinkedHashMap<>();
    keys.forEach(key -> old.put(key, live(key)));
    Unwritten<K> not = writer.deleteAll(old.keySet());
    old.forEach((key, cached) -> {
      if (!not.keys().contains(key)) {
        drop(key, cached);
      }
    });
    effects.failed(not.failure());
  }
}
