package io.canopygrid.spring.cache;

import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.spring.CanopyTemplate;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

/**
 * A cache that is an index: the same on all nodes and clients, and all of them see a change at
 * once. Nothing expires by itself. Thread-safe.
 *
 * <p>Each method is one transaction, and in a transaction of the thread a part of that: then what
 * it puts is there when that commits. {@link #putIfAbsent} and {@link #evictIfPresent} are atomic
 * across the cluster. {@link #get(Object, Callable)} gives all callers the value that was put
 * first, but callers that miss at the same time all load one.
 *
 * @param <K> keys
 * @param <V> values, which may be null
 */
public final class CanopyCache<K, V> extends AbstractValueAdaptingCache {
  private final CanopyTemplate template;
  private final Index<K, Optional<V>> index;

  CanopyCache(CanopyTemplate template, Index<K, Optional<V>> index) {
    super(true);
    this.template = template;
    this.index = index;
  }

  @Override
  public String getName() {
    return index.name();
  }

  @Override
  public Index<K, Optional<V>> getNativeCache() {
    return index;
  }

  /** Spring hands over keys without their types; a wrong one is refused by the codec. */
  @SuppressWarnings("unchecked")
  private K keyOf(Object key) {
    return (K) key;
  }

  @SuppressWarnings("unchecked")
  private Optional<V> stored(@Nullable Object value) {
    return Optional.ofNullable((V) value);
  }

  /** As Spring has it: null for a key that is not there, and an object of its own for null. */
  private @Nullable Object inSpring(Optional<Optional<V>> stored) {
    return stored.isEmpty() ? null : toStoreValue(stored.get().orElse(null));
  }

  @Override
  protected @Nullable Object lookup(Object key) {
    Optional<Optional<V>> found =
        template.read(tx -> Optional.ofNullable(tx.on(index).get(keyOf(key))));
    return inSpring(found);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> @Nullable T get(Object key, Callable<T> loader) {
    ValueWrapper found = get(key);
    if (found == null) {
      T loaded = load(key, loader);
      found = putIfAbsent(key, loaded);
      if (found == null) {
        return loaded;
      }
    }
    return (T) found.get();
  }

  private static <T> @Nullable T load(Object key, Callable<T> loader) {
    try {
      return loader.call();
    } catch (Exception e) {
      throw new ValueRetrievalException(key, loader, e);
    }
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    template.run(tx -> tx.on(index).put(keyOf(key), stored(value)));
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    Optional<Optional<V>> before =
        template.call(
            tx -> Optional.ofNullable(tx.on(index).putIfAbsent(keyOf(key), stored(value))));
    return toValueWrapper(inSpring(before));
  }

  @Override
  public void evict(Object key) {
    template.run(tx -> tx.on(index).remove(keyOf(key)));
  }

  @Override
  public boolean evictIfPresent(Object key) {
    return template.call(tx -> {
      MutableView<K, Optional<V>> view = tx.on(index);
      boolean present = view.containsKey(keyOf(key));
      view.remove(keyOf(key));
      return present;
    });
  }

  /** In a transaction of the thread a part of that; else many small ones, and can end half way. */
  @Override
  public void clear() {
    if (template.isActive()) {
      template.run(tx -> tx.on(index).removeRange(Range.all()));
    } else {
      template.canopy().map(index).clear();
    }
  }
}
