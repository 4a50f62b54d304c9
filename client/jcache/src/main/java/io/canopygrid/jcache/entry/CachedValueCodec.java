package io.canopygrid.jcache.entry;

import io.canopygrid.Codec;
import io.canopygrid.Tuple;

/**
 * Values with their time, in the bytes and under the id of {@code tuple(int64,…)}: so programs that
 * know nothing of JCache, in any language, read the entries of a cache as pairs. Immutable and
 * thread-safe.
 *
 * @param <V> values
 */
public final class CachedValueCodec<V> implements Codec<CachedValue<V>> {
  private final Codec<Tuple> pairs;

  /** Of the codec of the values alone. */
  public CachedValueCodec(Codec<V> values) {
    this.pairs = Codec.tuple(Codec.int64(), values);
  }

  @Override
  public String id() {
    return pairs.id();
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public byte[] encode(CachedValue<V> cached) {
    return pairs.encode(Tuple.of(cached.expiresMillis(), cached.value()));
  }

  @Override
  @SuppressWarnings("unchecked") // the second component's codec is that of V
  public CachedValue<V> decode(byte[] bytes) {
    Tuple pair = pairs.decode(bytes);
    return new CachedValue<>((V) pair.get(1), pair.get(0, Long.class));
  }

  /** The id. */
  @Override
  public String toString() {
    return id();
  }
}
