package io.canopygrid.jcache;

import io.canopygrid.Canopy;
import io.canopygrid.Index;
import io.canopygrid.jcache.entry.CacheAttempt;
import io.canopygrid.jcache.entry.KeyOperations;
import io.canopygrid.jcache.entry.ReadThrough;
import io.canopygrid.jcache.management.CacheCounts.Kind;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache that is an index. Checks arguments and types here, and that the cache is open; the work
 * is done by the classes it is made of. Thread-safe.
 */
final class IndexCache<K, V> implements Cache<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCache.class);

  private final CacheManager owner;
  private final Runnable atClose;
  private final CacheSettings<K, V> settings;
  private final CacheReports<K, V> reports;
  private final CacheTransactions<K, V> transactions;
  private final ReadThrough<K, V> loader;
  private final CacheReads<K, V> reads;
  private final CacheBatches<K, V> batches;
  private final TypeChecks<K, V> checks;
  private final Executor loading;
  private volatile boolean closed;

  /** The action is run when it is closed. */
  IndexCache(
      CacheManager owner,
      Runnable atClose,
      CanopyConfiguration<K, V> configuration,
      CacheParts<K, V> parts) {
    this.owner = owner;
    this.atClose = atClose;
    this.reports = new CacheReports<>(this, parts.index().name());
    this.settings =
        new CacheSettings<>(configuration, reports, owner.getURI(), parts.index().name());
    this.transactions = parts.transactions(reports);
    this.loader = parts.loader();
    this.loading = parts.loading();
    this.reads = new CacheReads<>(transactions, loader);
    this.batches = new CacheBatches<>(transactions, reads);
    this.checks = new TypeChecks<>(configuration.getKeyType(), configuration.getValueType());
  }

  /** Begins to listen, to count and to be seen as its configuration says. */
  void open() {
    settings.open();
  }

  CacheSettings<K, V> settings() {
    return settings;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("cache '" + getName() + "' is closed");
    }
  }

  private <T extends @Nullable Object> T timed(Kind kind, Supplier<T> call) {
    requireOpen();
    long begin = System.nanoTime();
    T result = call.get();
    reports.timed(kind, begin);
    return result;
  }

  /** A change that also reads: it is timed as both. */
  private @Nullable V timedRead(Kind kind, Function<CacheAttempt<K, V>, @Nullable V> change) {
    long begin = System.nanoTime();
    V old = timed(kind, () -> transactions.<@Nullable V>change(change));
    reports.timed(Kind.GET, begin);
    return old;
  }

  @Override
  public @Nullable V get(K key) {
    requireOpen();
    checks.key(key);
    return timed(Kind.GET, () -> reads.get(key));
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    requireOpen();
    checks.keys(keys);
    return timed(
        Kind.GET,
        () -> {
          Map<K, V> values = new LinkedHashMap<>();
          for (Set<K> part : CacheBatches.<K>parts(keys)) {
            values.putAll(reads.getAll(part));
          }
          return values;
        });
  }

  @Override
  public boolean containsKey(K key) {
    requireOpen();
    checks.key(key);
    return reads.containsKey(key);
  }

  /** Completes on a thread of the manager; the listener hears of a failure there. */
  @Override
  public void loadAll(
      Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
    requireOpen();
    Set<K> all = new LinkedHashSet<>(checks.keys(keys));
    loading.execute(() -> {
      try {
        load(all, replaceExisting);
      } catch (RuntimeException e) {
        failed(e, listener);
        return;
      } catch (Error e) {
        failed(new CacheException("loading failed: " + e, e), listener);
        throw e;
      }
      if (listener != null) {
        listener.onCompletion();
      }
    });
  }

  private void failed(RuntimeException why, @Nullable CompletionListener listener) {
    if (listener == null) {
      LOG.warn("cache '{}' was not loaded", getName(), why);
    } else {
      listener.onException(why);
    }
  }

  private void load(Set<K> keys, boolean replaces) {
    if (!loader.exists()) {
      return;
    }
    for (Set<K> part : CacheBatches.<K>parts(keys)) {
      Set<K> wanted = new LinkedHashSet<>(part);
      if (!replaces) {
        wanted.removeIf(reads::containsKey);
      }
      if (!wanted.isEmpty()) {
        reads.keep(loader.loadAll(wanted), replaces);
      }
    }
  }

  @Override
  public void put(K key, V value) {
    requireOpen();
    checks.key(key);
    checks.value(value);
    timed(
        Kind.PUT,
        () -> {
          batches.put(key, value);
          return true;
        });
  }

  @Override
  public @Nullable V getAndPut(K key, V value) {
    requireOpen();
    checks.key(key);
    checks.value(value);
    return timedRead(Kind.PUT, a -> KeyOperations.getAndPut(a, key, value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    requireOpen();
    checks.entries(entries);
    timed(
        Kind.PUT,
        () -> {
          batches.putAll(entries);
          return true;
        });
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    requireOpen();
    checks.key(key);
    checks.value(value);
    return timed(
        Kind.PUT, () -> transactions.change(a -> KeyOperations.putIfAbsent(a, key, value)));
  }

  @Override
  public boolean remove(K key) {
    requireOpen();
    checks.key(key);
    return timed(Kind.REMOVE, () -> transactions.change(a -> KeyOperations.remove(a, key)));
  }

  @Override
  public boolean remove(K key, V expected) {
    requireOpen();
    checks.key(key);
    checks.value(expected);
    return timed(
        Kind.REMOVE, () -> transactions.change(a -> KeyOperations.remove(a, key, expected)));
  }

  @Override
  public @Nullable V getAndRemove(K key) {
    requireOpen();
    checks.key(key);
    return timedRead(Kind.REMOVE, a -> KeyOperations.getAndRemove(a, key));
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    requireOpen();
    checks.key(key);
    checks.value(expected);
    checks.value(value);
    return timed(
        Kind.PUT, () -> transactions.change(a -> KeyOperations.replace(a, key, expected, value)));
  }

  @Override
  public boolean replace(K key, V value) {
    requireOpen();
    checks.key(key);
    checks.value(value);
    return timed(
        Kind.PUT,
        () -> transactions.change(a -> KeyOperations.getAndReplace(a, key, value) != null));
  }

  @Override
  public @Nullable V getAndReplace(K key, V value) {
    requireOpen();
    checks.key(key);
    checks.value(value);
    return timedRead(Kind.PUT, a -> KeyOperations.getAndReplace(a, key, value));
  }

  @Override
  public void removeAll(Set<? extends K> keys) {
    requireOpen();
    checks.keys(keys);
    timed(
        Kind.REMOVE,
        () -> {
          batches.removeAll(keys);
          return true;
        });
  }

  @Override
  public void removeAll() {
    timed(
        Kind.REMOVE,
        () -> {
          batches.removeAll();
          return true;
        });
  }

  /** Many small transactions, of which neither listeners nor the writer hear. */
  @Override
  public void clear() {
    requireOpen();
    CacheTransactions.coded(() -> {
      transactions.canopy().map(transactions.index()).clear();
      return true;
    });
  }

  /** Whether its entries can expire, by the policy that this JVM has. */
  boolean expires() {
    return !(transactions.expiry().policy() instanceof EternalExpiryPolicy);
  }

  /** Takes away what has expired; ends early where the cache is closed meanwhile. */
  void removeExpired() {
    batches.removeExpired(() -> closed);
  }

  @Override
  public <T extends @Nullable Object> T invoke(
      K key, EntryProcessor<K, V, T> processor, @Nullable Object... arguments) {
    requireOpen();
    checks.key(key);
    Objects.requireNonNull(processor, "the entry processor is null");
    return transactions.change(a -> KeyOperations.invoke(a, key, loader, processor, arguments));
  }

  /** One transaction per key. Keys whose result is null are not in the map. */
  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, @Nullable Object... arguments) {
    requireOpen();
    checks.keys(keys);
    Objects.requireNonNull(processor, "the entry processor is null");
    Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
    for (K key : keys) {
      try {
        T result = invoke(key, processor, arguments);
        if (result != null) {
          results.put(key, () -> result);
        }
      } catch (CacheException e) {
        EntryProcessorException failure =
            e instanceof EntryProcessorException known
                ? known
                : new EntryProcessorException(e.getMessage(), e);
        results.put(
            key,
            () -> {
              throw failure;
            });
      }
    }
    return results;
  }

  @Override
  public Iterator<Entry<K, V>> iterator() {
    requireOpen();
    return new CacheIterator<>(reads, reports, this::remove);
  }

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    requireOpen();
    settings.add(Objects.requireNonNull(listener, "the listener's configuration is null"));
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    requireOpen();
    settings.remove(Objects.requireNonNull(listener, "the listener's configuration is null"));
  }

  @Override
  public String getName() {
    return transactions.index().name();
  }

  @Override
  public CacheManager getCacheManager() {
    return owner;
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    CanopyConfiguration<K, V> current = settings.current();
    if (type.isInstance(current)) {
      return type.cast(current);
    }
    throw new IllegalArgumentException("the configuration is no " + type.getName());
  }

  /** The handle, the index, or this. */
  @Override
  public <T> T unwrap(Class<T> type) {
    for (Object one : List.of(this, transactions.index(), transactions.canopy())) {
      if (type.isInstance(one)) {
        return type.cast(one);
      }
    }
    throw new IllegalArgumentException(
        "a cache is no "
            + type.getName()
            + ": ask for "
            + Index.class.getName()
            + " or "
            + Canopy.class.getName());
  }

  /** Does nothing when closed. The entries stay. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      atClose.run();
      settings.close();
      CloseQuietly.close(loader.loader());
      CloseQuietly.close(transactions.writer().writer());
      CloseQuietly.close(transactions.expiry().policy());
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** For people. */
  @Override
  public String toString() {
    return "cache " + getName();
  }
}
