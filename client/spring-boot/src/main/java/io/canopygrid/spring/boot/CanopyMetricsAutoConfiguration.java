package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.micrometer.CanopyMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The metrics of the handle, and of its node where it is one, among those of the application, where
 * it has Micrometer.
 */
@AutoConfiguration(after = CanopyAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(Canopy.class)
public class CanopyMetricsAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = "canopyMetrics")
  CanopyMetrics canopyMetrics(Canopy canopy) {
    return new CanopyMetrics(canopy);
  }
}
