package io.canopygrid.jcache;

import io.canopygrid.jcache.management.ConfigurationBean;
import io.canopygrid.jcache.management.JmxBeans;
import java.net.URI;
import java.util.List;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * The part of an open cache's configuration that can be changed: its listeners, and whether it
 * counts and is managed. Thread-safe.
 */
final class CacheSettings<K, V> {
  private final CacheReports<K, V> reports;
  private final URI manager;
  private final String cache;
  private CanopyConfiguration<K, V> configuration;

  CacheSettings(
      CanopyConfiguration<K, V> configuration,
      CacheReports<K, V> reports,
      URI manager,
      String cache) {
    this.configuration = configuration;
    this.reports = reports;
    this.manager = manager;
    this.cache = cache;
  }

  synchronized CanopyConfiguration<K, V> current() {
    return configuration;
  }

  /** Does what the configuration says. */
  synchronized void open() {
    configuration.getCacheEntryListenerConfigurations().forEach(reports.listeners()::add);
    count(configuration.isStatisticsEnabled());
    manage(configuration.isManagementEnabled());
  }

  synchronized void count(boolean on) {
    configuration = configuration.counting(on);
    reports.count(on);
    if (on) {
      JmxBeans.show(reports.counts(), JmxBeans.STATISTICS, manager, cache);
    } else {
      JmxBeans.hide(JmxBeans.STATISTICS, manager, cache);
    }
  }

  synchronized void manage(boolean on) {
    configuration = configuration.managed(on);
    if (on) {
      JmxBeans.show(new ConfigurationBean(this::current), JmxBeans.CONFIGURATION, manager, cache);
    } else {
      JmxBeans.hide(JmxBeans.CONFIGURATION, manager, cache);
    }
  }

  /**
   * Adds a listener.
   *
   * @throws IllegalArgumentException if there is one of this configuration
   */
  synchronized void add(CacheEntryListenerConfiguration<K, V> listener) {
    CanopyConfiguration<K, V> next = configuration.listening(listener);
    reports.listeners().add(listener);
    configuration = next;
  }

  synchronized void remove(CacheEntryListenerConfiguration<K, V> listener) {
    configuration = configuration.notListening(listener);
    closeAll(reports.listeners().remove(listener));
  }

  synchronized void close() {
    closeAll(reports.listeners().close());
    JmxBeans.hide(JmxBeans.STATISTICS, manager, cache);
    JmxBeans.hide(JmxBeans.CONFIGURATION, manager, cache);
  }

  private static void closeAll(List<@Nullable Object> parts) {
    parts.forEach(CloseQuietly::close);
  }
}
