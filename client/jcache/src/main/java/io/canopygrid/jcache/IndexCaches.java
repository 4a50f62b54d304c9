package io.canopygrid.jcache;

import java.io.ObjectInputFilter;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/** The caches of one handle that this JVM has opened. Thread-safe. */
final class IndexCaches implements CacheManager {
  private final CachingProvider provider;
  private final Consumer<CacheManager> atClose;
  private final URI uri;
  private final ClassLoader classes;
  private final Properties properties;
  private final @Nullable ObjectInputFilter filter;
  private final Clock clock;
  private final OpenedCanopy opened;
  private final CacheThreads threads;
  private final Map<String, IndexCache<?, ?>> caches = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Opens the handle.
   *
   * @param atClose hears that this is closed
   * @throws CacheException if that fails, or a property is wrong
   */
  IndexCaches(
      CachingProvider provider,
      Consumer<CacheManager> atClose,
      URI uri,
      ClassLoader classes,
      Properties properties) {
    this.provider = provider;
    this.atClose = atClose;
    this.uri = uri;
    this.classes = classes;
    this.properties = copy(properties);
    ManagerProperties read = new ManagerProperties(properties);
    this.filter = read.filter();
    this.clock = read.clock();
    this.threads = new CacheThreads(read.sweep(), this::sweep);
    this.opened = OpenedCanopy.of(uri, properties);
  }

  private static Properties copy(Properties of) {
    Properties copy = new Properties();
    of.stringPropertyNames().forEach(name -> copy.setProperty(name, of.getProperty(name)));
    copy.putAll(of);
    return copy;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache manager of " + uri.getScheme() + " is closed");
    }
  }

  @Override
  public CachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  public ClassLoader getClassLoader() {
    return classes;
  }

  @Override
  public Properties getProperties() {
    return copy(properties);
  }

  /** Opens the index, with the entries that it has, or creates it. */
  @Override
  public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String name, C configuration) {
    requireOpen();
    Objects.requireNonNull(name, "the name is null");
    Objects.requireNonNull(configuration, "the configuration is null");
    if (!configuration.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "cache '" + name + "': entries are stored by value only, as an index is bytes");
    }
    CanopyConfiguration<K, V> complete = completed(configuration);
    synchronized (caches) {
      requireOpen();
      if (caches.containsKey(name)) {
        throw new CacheException("there is a cache '" + name + "' in this manager already");
      }
      CacheParts<K, V> parts =
          CacheParts.of(opened.canopy(), name, complete, classes, filter, clock, threads.loading());
      IndexCache<K, V> cache = new IndexCache<>(this, () -> caches.remove(name), complete, parts);
      caches.put(name, cache);
      try {
        cache.open();
      } catch (RuntimeException e) {
        cache.close();
        throw e;
      }
      threads.began(cache.expires());
      return cache;
    }
  }

  private static <K, V> CanopyConfiguration<K, V> completed(Configuration<K, V> configuration) {
    if (configuration instanceof CompleteConfiguration<K, V> complete) {
      return CanopyConfiguration.of(complete);
    }
    return CanopyConfiguration.of(
        new MutableConfiguration<K, V>()
            .setTypes(configuration.getKeyType(), configuration.getValueType())
            .setStoreByValue(configuration.isStoreByValue()));
  }

  @Override
  @SuppressWarnings("unchecked") // these are the types it was created with
  public <K, V> @Nullable Cache<K, V> getCache(String name, Class<K> keys, Class<V> values) {
    requireOpen();
    Objects.requireNonNull(name, "the name is null");
    Objects.requireNonNull(keys, "the type of the keys is null");
    Objects.requireNonNull(values, "the type of the values is null");
    IndexCache<?, ?> cache = caches.get(name);
    if (cache == null) {
      return null;
    }
    requireType(name, "keys", cache.settings().current().getKeyType(), keys);
    requireType(name, "values", cache.settings().current().getValueType(), values);
    return (Cache<K, V>) cache;
  }

  private static void requireType(String name, String of, Class<?> type, Class<?> wanted) {
    if (type != wanted) {
      throw new ClassCastException(
          "the "
              + of
              + " of cache '"
              + name
              + "' are of "
              + type.getName()
              + ", not of "
              + wanted.getName());
    }
  }

  @Override
  @SuppressWarnings("unchecked") // as JCache has it: the caller knows
  public <K, V> @Nullable Cache<K, V> getCache(String name) {
    requireOpen();
    return (Cache<K, V>) caches.get(Objects.requireNonNull(name, "the name is null"));
  }

  @Override
  public Iterable<String> getCacheNames() {
    requireOpen();
    return Collections.unmodifiableList(new ArrayList<>(caches.keySet()));
  }

  /** Closes the cache and drops its index, for everybody. Does nothing to one not opened here. */
  @Override
  public void destroyCache(String name) {
    requireOpen();
    Objects.requireNonNull(name, "the name is null");
    synchronized (caches) {
      IndexCache<?, ?> cache = caches.get(name);
      if (cache != null) {
        cache.close();
        CacheTransactions.coded(() -> opened.canopy().dropIndex(name));
      }
    }
  }

  @Override
  public void enableManagement(String name, boolean on) {
    set(name, cache -> cache.settings().manage(on));
  }

  @Override
  public void enableStatistics(String name, boolean on) {
    set(name, cache -> cache.settings().count(on));
  }

  private void set(String name, Consumer<IndexCache<?, ?>> change) {
    requireOpen();
    IndexCache<?, ?> cache = caches.get(Objects.requireNonNull(name, "the name is null"));
    if (cache != null) {
      change.accept(cache);
    }
  }

  private void sweep() {
    for (IndexCache<?, ?> cache : caches.values()) {
      if (cache.expires()) {
        cache.removeExpired();
      }
    }
  }

  /** Closes the caches, and the handle if this has opened it. The entries stay. */
  @Override
  public void close() {
    synchronized (caches) {
      if (closed) {
        return;
      }
      closed = true;
    }
    atClose.accept(this);
    threads.close();
    List.copyOf(caches.values()).forEach(Cache::close);
    opened.close().run();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** The handle, or this. */
  @Override
  public <T> T unwrap(Class<T> type) {
    for (Object one : List.of(this, opened.canopy())) {
      if (type.isInstance(one)) {
        return type.cast(one);
      }
    }
    throw new IllegalArgumentException(
        "a cache manager is no " + type.getName() + ": ask for io.canopygrid.Canopy");
  }
}
