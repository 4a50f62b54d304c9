package io.canopygrid.jcache;

import io.canopygrid.Canopy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.net.URI;
import java.util.Properties;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;

/** A node in this JVM, and managers that use it. */
final class TestCaches implements AutoCloseable {
  private final Canopy node = EmbeddedCanopy.start();
  private final TestClock clock = new TestClock();
  private final CanopyCachingProvider provider = new CanopyCachingProvider();

  Canopy node() {
    return node;
  }

  TestClock clock() {
    return clock;
  }

  Properties properties() {
    Properties properties = new Properties();
    properties.put(CanopyCachingProvider.CANOPY, node);
    properties.put(CanopyCachingProvider.CLOCK, clock);
    return properties;
  }

  /** The one of this name. */
  CacheManager manager(String name) {
    return provider.getCacheManager(URI.create("canopy:" + name), null, properties());
  }

  static MutableConfiguration<Long, String> configuration() {
    return new MutableConfiguration<Long, String>().setTypes(Long.class, String.class);
  }

  @Override
  public void close() {
    provider.close();
    node.close();
  }
}
