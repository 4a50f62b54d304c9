package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the handle, with the health module of Spring Boot 4. */
@AutoConfiguration(after = CanopyAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Canopy.class)
public class CanopyHealth4AutoConfiguration {
  @Bean
  @ConditionalOnEnabledHealthIndicator("canopy")
  @ConditionalOnMissingBean(name = "canopyHealthIndicator")
  HealthIndicator canopyHealthIndicator(Canopy canopy) {
    return new Indicator(canopy);
  }

  /** Down with the error and its code where the data cannot be used. */
  private static final class Indicator extends AbstractHealthIndicator {
    private final Canopy canopy;

    Indicator(Canopy canopy) {
      super("Canopy cannot be used");
      this.canopy = canopy;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
      Map<String, Object> details = HandleCheck.check(canopy);
      health.up().withDetails(details);
    }
  }
}
