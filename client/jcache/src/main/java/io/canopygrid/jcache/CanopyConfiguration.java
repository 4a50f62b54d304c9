package io.canopygrid.jcache;

import io.canopygrid.Codec;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Objects;
import java.util.function.Consumer;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a cache whose entries are stored by {@linkplain Codec codecs}, so that keys
 * have their order and other programs can read the entries; or by Java serialisation with a filter.
 * Immutable, and not serialisable, as codecs are not.
 *
 * <pre>{@code
 * CanopyConfiguration<Long, Book> books =
 *     CanopyConfiguration.of(
 *             new MutableConfiguration<Long, Book>().setTypes(Long.class, Book.class))
 *         .withKeys(Codec.int64())
 *         .withValues(Codec.json(Book.class));
 * }</pre>
 *
 * @param <K> keys
 * @param <V> values
 */
public final class CanopyConfiguration<K, V> implements CompleteConfiguration<K, V> {
  private static final long serialVersionUID = 1L;

  /** The part that JCache knows; nobody changes it. */
  private final MutableConfiguration<K, V> standard;

  private final transient @Nullable Codec<K> keys;
  private final transient @Nullable Codec<V> values;
  private final transient @Nullable ObjectInputFilter filter;

  private CanopyConfiguration(
      MutableConfiguration<K, V> standard,
      @Nullable Codec<K> keys,
      @Nullable Codec<V> values,
      @Nullable ObjectInputFilter filter) {
    this.standard = standard;
    this.keys = keys;
    this.values = values;
    this.filter = filter;
  }

  /** A copy of a configuration, which names no codecs unless it is one of these. */
  public static <K, V> CanopyConfiguration<K, V> of(CompleteConfiguration<K, V> other) {
    MutableConfiguration<K, V> copy = new MutableConfiguration<>(other);
    return other instanceof CanopyConfiguration<K, V> own
        ? new CanopyConfiguration<>(copy, own.keys, own.values, own.filter)
        : new CanopyConfiguration<>(copy, null, null, null);
  }

  /**
   * This configuration with a codec of the keys.
   *
   * @param codec an ordered one
   */
  public CanopyConfiguration<K, V> withKeys(Codec<K> codec) {
    return new CanopyConfiguration<>(
        standard, Objects.requireNonNull(codec, "the codec is null"), values, filter);
  }

  /** This configuration with a codec of the values. */
  public CanopyConfiguration<K, V> withValues(Codec<V> codec) {
    return new CanopyConfiguration<>(
        standard, keys, Objects.requireNonNull(codec, "the codec is null"), filter);
  }

  /**
   * This configuration with a filter that says which classes Java serialisation may read, for keys
   * and values without a codec. It stands in place of that of the manager.
   */
  public CanopyConfiguration<K, V> withFilter(ObjectInputFilter classes) {
    return new CanopyConfiguration<>(
        standard, keys, values, Objects.requireNonNull(classes, "the filter is null"));
  }

  /** A copy with a change that JCache knows. */
  private CanopyConfiguration<K, V> changed(Consumer<MutableConfiguration<K, V>> change) {
    MutableConfiguration<K, V> copy = new MutableConfiguration<>(standard);
    change.accept(copy);
    return new CanopyConfiguration<>(copy, keys, values, filter);
  }

  CanopyConfiguration<K, V> counting(boolean on) {
    return changed(copy -> copy.setStatisticsEnabled(on));
  }

  CanopyConfiguration<K, V> managed(boolean on) {
    return changed(copy -> copy.setManagementEnabled(on));
  }

  CanopyConfiguration<K, V> listening(CacheEntryListenerConfiguration<K, V> listener) {
    return changed(copy -> copy.addCacheEntryListenerConfiguration(listener));
  }

  CanopyConfiguration<K, V> notListening(CacheEntryListenerConfiguration<K, V> listener) {
    return changed(copy -> copy.removeCacheEntryListenerConfiguration(listener));
  }

  /** The codec of the keys; null: they are serialised by Java. */
  public @Nullable Codec<K> keyCodec() {
    return keys;
  }

  /** The codec of the values; null: they are serialised by Java. */
  public @Nullable Codec<V> valueCodec() {
    return values;
  }

  /** The filter of what Java serialisation may read; null: that of the manager, or of the JVM. */
  public @Nullable ObjectInputFilter filter() {
    return filter;
  }

  @Override
  public Class<K> getKeyType() {
    return standard.getKeyType();
  }

  @Override
  public Class<V> getValueType() {
    return standard.getValueType();
  }

  @Override
  public boolean isStoreByValue() {
    return standard.isStoreByValue();
  }

  @Override
  public boolean isReadThrough() {
    return standard.isReadThrough();
  }

  @Override
  public boolean isWriteThrough() {
    return standard.isWriteThrough();
  }

  @Override
  public boolean isStatisticsEnabled() {
    return standard.isStatisticsEnabled();
  }

  @Override
  public boolean isManagementEnabled() {
    return standard.isManagementEnabled();
  }

  @Override
  public Iterable<CacheEntryListenerConfiguration<K, V>> getCacheEntryListenerConfigurations() {
    return standard.getCacheEntryListenerConfigurations();
  }

  @Override
  public @Nullable Factory<CacheLoader<K, V>> getCacheLoaderFactory() {
    return standard.getCacheLoaderFactory();
  }

  @Override
  public @Nullable Factory<CacheWriter<? super K, ? super V>> getCacheWriterFactory() {
    return standard.getCacheWriterFactory();
  }

  @Override
  public Factory<ExpiryPolicy> getExpiryPolicyFactory() {
    return standard.getExpiryPolicyFactory();
  }

  /** Whether the other is one of the same settings, with codecs of the same ids. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CanopyConfiguration<?, ?> configuration
        && standard.equals(configuration.standard)
        && idOf(keys).equals(idOf(configuration.keys))
        && idOf(values).equals(idOf(configuration.values))
        && Objects.equals(filter, configuration.filter);
  }

  @Override
  public int hashCode() {
    return Objects.hash(standard, idOf(keys), idOf(values), filter);
  }

  private static String idOf(@Nullable Codec<?> codec) {
    return codec == null ? "" : codec.id();
  }

  private void writeObject(ObjectOutputStream out) throws NotSerializableException {
    throw new NotSerializableException(
        "codecs are not serialisable, so their configuration is not");
  }

  private void readObject(ObjectInputStream in) throws NotSerializableException {
    throw new NotSerializableException(
        "codecs are not serialisable, so their configuration is not");
  }
}
