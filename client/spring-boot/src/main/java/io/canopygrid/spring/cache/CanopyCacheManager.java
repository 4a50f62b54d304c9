package io.canopygrid.spring.cache;

import io.canopygrid.Codec;
import io.canopygrid.spring.CanopyTemplate;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/**
 * Caches that are indexes, each with its codecs; there are no others. Immutable and thread-safe.
 *
 * <pre>{@code
 * @Bean
 * CanopyCacheManager caches(CanopyTemplate template) {
 *   return CanopyCacheManager.of(template)
 *       .cache("books", Codec.int64(), Codec.json(Book.class))
 *       .build();
 * }
 * }</pre>
 */
public final class CanopyCacheManager implements CacheManager {
  private final Map<String, Cache> caches;

  private CanopyCacheManager(Map<String, Cache> caches) {
    this.caches = Collections.unmodifiableMap(new TreeMap<>(caches));
  }

  /** Begins without caches. */
  public static Builder of(CanopyTemplate template) {
    return new Builder(template);
  }

  @Override
  public @Nullable Cache getCache(String name) {
    return caches.get(name);
  }

  @Override
  public Collection<String> getCacheNames() {
    return caches.keySet();
  }

  /** Opens the indexes. */
  public static final class Builder {
    private final CanopyTemplate template;
    private final Map<String, Cache> caches = new TreeMap<>();

    private Builder(CanopyTemplate template) {
      this.template = template;
    }

    /**
     * Adds a cache.
     *
     * @param name of the cache and of the index, which nothing else should use
     * @param keys the type of the cached method's parameter
     * @param values the type of its results, null apart
     */
    public <K, V> Builder cache(String name, Codec<K> keys, Codec<V> values) {
      caches.put(
          name,
          new CanopyCache<>(template, template.canopy().index(name, keys, Codec.optional(values))));
      return this;
    }

    /** The manager. */
    public CanopyCacheManager build() {
      return new CanopyCacheManager(caches);
    }
  }
}
