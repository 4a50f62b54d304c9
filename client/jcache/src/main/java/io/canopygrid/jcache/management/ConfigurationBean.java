package io.canopygrid.jcache.management;

import java.util.function.Supplier;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;

/** The configuration of one cache object, as it is now. */
public final class ConfigurationBean implements CacheMXBean {
  private final Supplier<? extends CompleteConfiguration<?, ?>> configuration;

  /** Of where the configuration is found. */
  public ConfigurationBean(Supplier<? extends CompleteConfiguration<?, ?>> configuration) {
    this.configuration = configuration;
  }

  @Override
  public String getKeyType() {
    return configuration.get().getKeyType().getName();
  }

  @Override
  public String getValueType() {
    return configuration.get().getValueType().getName();
  }

  @Override
  public boolean isReadThrough() {
    return configuration.get().isReadThrough();
  }

  @Override
  public boolean isWriteThrough() {
    return configuration.get().isWriteThrough();
  }

  @Override
  public boolean isStoreByValue() {
    return configuration.get().isStoreByValue();
  }

  @Override
  public boolean isStatisticsEnabled() {
    return configuration.get().isStatisticsEnabled();
  }

  @Override
  public boolean isManagementEnabled() {
    return configuration.get().isManagementEnabled();
  }
}
