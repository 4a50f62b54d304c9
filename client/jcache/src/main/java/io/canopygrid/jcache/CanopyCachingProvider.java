package io.canopygrid.jcache;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Predicate;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * The provider that {@link javax.cache.Caching#getCachingProvider()} finds. Thread-safe.
 *
 * <p>The URI of a manager is {@code canopy://host:port,host:port}, or {@code canopys://} for TLS,
 * as of a remote client: then the manager connects to these servers, and closing it closes that
 * connection. {@value #STANDALONE} is a node in this JVM, alone, which all managers of that URI
 * share and the last one closes. The properties of a manager may hand over a handle in place of
 * that ({@link #CANOPY}), which stays open.
 */
public final class CanopyCachingProvider implements CachingProvider {
  /**
   * The property with the {@link io.canopygrid.Canopy} that the manager is to use, whatever its URI
   * is: the object itself, by {@link Properties#put}.
   */
  public static final String CANOPY = "io.canopygrid.jcache.canopy";

  /**
   * The property with the classes that Java serialisation may read, as the pattern of {@link
   * java.io.ObjectInputFilter.Config#createFilter}, for caches that have no filter of their own.
   */
  public static final String SERIAL_FILTER = "io.canopygrid.jcache.serialFilter";

  /**
   * The property with the {@link java.time.Clock} by which entries expire, the object itself, for
   * tests; the machine's clock without it.
   */
  public static final String CLOCK = "io.canopygrid.jcache.clock";

  /**
   * The property with the time from one search for expired entries to the next, in the text of
   * {@link java.time.Duration}; {@code PT10M} without it, and {@code PT0S} for no search.
   */
  public static final String SWEEP = "io.canopygrid.jcache.sweep";

  /** The system property with the {@linkplain #getDefaultURI default URI}. */
  public static final String URI_PROPERTY = "io.canopygrid.jcache.uri";

  /** The URI of a node in this JVM that is alone. */
  public static final String STANDALONE = "canopy:standalone";

  /** The key by which a manager is found. */
  private record Place(URI uri, ClassLoader classes) {}

  /** The managers that are open; also the lock of their opening. */
  private final Map<Place, CacheManager> open = new HashMap<>();

  /** Without managers, for the loader of services. */
  public CanopyCachingProvider() {}

  @Override
  public CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader classes, @Nullable Properties properties) {
    Place place =
        new Place(
            uri == null ? getDefaultURI() : uri,
            classes == null ? getDefaultClassLoader() : classes);
    Properties own = properties == null ? getDefaultProperties() : properties;
    synchronized (open) {
      CacheManager known = open.get(place);
      if (known == null) {
        known = new IndexCaches(this, this::forget, place.uri(), place.classes(), own);
        open.put(place, known);
      }
      return known;
    }
  }

  @Override
  public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classes) {
    return getCacheManager(uri, classes, null);
  }

  @Override
  public CacheManager getCacheManager() {
    return getCacheManager(null, null, null);
  }

  /** The loader of this class; classes of entries are also sought by the thread's. */
  @Override
  public ClassLoader getDefaultClassLoader() {
    return Objects.requireNonNull(getClass().getClassLoader());
  }

  /** {@code canopy://localhost}, unless the system property {@value #URI_PROPERTY} says other. */
  @Override
  public URI getDefaultURI() {
    return URI.create(System.getProperty(URI_PROPERTY, "canopy://localhost"));
  }

  /** Without any. */
  @Override
  public Properties getDefaultProperties() {
    return new Properties();
  }

  /** Closes all managers. */
  @Override
  public void close() {
    close(place -> true);
  }

  /** Closes the managers of a class loader. */
  @Override
  public void close(ClassLoader classes) {
    Objects.requireNonNull(classes, "the class loader is null");
    close(place -> place.classes().equals(classes));
  }

  /** Closes the manager of a URI and a class loader, if there is one. */
  @Override
  public void close(URI uri, ClassLoader classes) {
    Objects.requireNonNull(uri, "the URI is null");
    Objects.requireNonNull(classes, "the class loader is null");
    close(place -> place.classes().equals(classes) && place.uri().equals(uri));
  }

  private void close(Predicate<Place> which) {
    List<CacheManager> found = new ArrayList<>();
    synchronized (open) {
      open.forEach((place, manager) -> {
        if (which.test(place)) {
          found.add(manager);
        }
      });
    }
    found.forEach(CacheManager::close);
  }

  private void forget(CacheManager closed) {
    synchronized (open) {
      open.values().remove(closed);
    }
  }

  /** None: entries are bytes in the index, and storing them by reference is refused. */
  @Override
  public boolean isSupported(OptionalFeature feature) {
    Objects.requireNonNull(feature, "the feature is null");
    return false;
  }
}
