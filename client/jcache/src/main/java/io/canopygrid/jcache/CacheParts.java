package io.canopygrid.jcache;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.jcache.entry.CachedValue;
import io.canopygrid.jcache.entry.CachedValueCodec;
import io.canopygrid.jcache.entry.ExpiryTimes;
import io.canopygrid.jcache.entry.JavaCodec;
import io.canopygrid.jcache.entry.ReadThrough;
import io.canopygrid.jcache.entry.WriteThrough;
import java.io.ObjectInputFilter;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** The parts of a cache, before it is there. */
record CacheParts<K, V>(
    Canopy canopy,
    Index<K, CachedValue<V>> index,
    ExpiryTimes expiry,
    WriteThrough<K, V> writer,
    ReadThrough<K, V> loader,
    Clock clock,
    Executor loading) {
  /**
   * Opens the index, and makes what the configuration has factories of.
   *
   * @param filter of Java serialisation, where the configuration has none; null: that of the JVM
   */
  static <K, V> CacheParts<K, V> of(
      Canopy canopy,
      String name,
      CanopyConfiguration<K, V> configuration,
      ClassLoader classes,
      @Nullable ObjectInputFilter filter,
      Clock clock,
      Executor loading) {
    ObjectInputFilter own = configuration.filter();
    ObjectInputFilter reading = own == null ? filter : own;
    Codec<K> keys = configuration.keyCodec();
    Codec<V> values = configuration.valueCodec();
    Codec<V> valueCodec = values == null ? new JavaCodec<>(classes, reading) : values;
    Index<K, CachedValue<V>> index =
        CacheTransactions.coded(() ->
            canopy.index(
                name,
                keys == null ? new JavaCodec<>(classes, reading) : keys,
                new CachedValueCodec<>(valueCodec)));
    ExpiryPolicy policy =
        Objects.requireNonNull(
            configuration.getExpiryPolicyFactory().create(), "the expiry policy is null");
    return new CacheParts<>(
        canopy,
        index,
        new ExpiryTimes(policy),
        writer(configuration),
        loader(configuration),
        clock,
        loading);
  }

  private static <K, V> WriteThrough<K, V> writer(CanopyConfiguration<K, V> configuration) {
    Factory<CacheWriter<? super K, ? super V>> factory = configuration.getCacheWriterFactory();
    return new WriteThrough<>(
        factory == null || !configuration.isWriteThrough() ? null : factory.create());
  }

  private static <K, V> ReadThrough<K, V> loader(CanopyConfiguration<K, V> configuration) {
    Factory<CacheLoader<K, V>> factory = configuration.getCacheLoaderFactory();
    return new ReadThrough<>(
        factory == null ? null : factory.create(), configuration.isReadThrough());
  }

  CacheTransactions<K, V> transactions(CacheReports<K, V> reports) {
    return new CacheTransactions<>(canopy, index, expiry, writer, clock, reports);
  }
}
