package io.canopygrid.spring.boot;

import io.canopygrid.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/** Says of a property {@code canopy.*} that has a value of another type, or is unknown. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class BindingFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {
  private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("canopy");

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, BindException cause) {
    if (!PREFIX.equals(cause.getName()) && !PREFIX.isAncestorOf(cause.getName())) {
      return null;
    }
    UnboundConfigurationPropertiesException unknown =
        findCause(cause, UnboundConfigurationPropertiesException.class);
    if (unknown != null) {
      ConfigurationProperty property = unknown.getUnboundProperties().iterator().next();
      return analysis(property, "there is no such property", cause);
    }
    ConfigurationProperty property = cause.getProperty();
    return property == null ? null : analysis(property, "it " + wanted(cause), cause);
  }

  private static String wanted(BindException cause) {
    Class<?> type = cause.getTarget().getType().resolve(Object.class);
    Object[] constants = type.getEnumConstants();
    return constants == null
        ? "must be a " + ClassUtils.getShortName(type)
        : "must be one of " + Arrays.toString(constants);
  }

  private static FailureAnalysis analysis(
      ConfigurationProperty property, String why, Throwable cause) {
    return new FailureAnalysis(
        String.format(
            Locale.ROOT,
            "%s (%s): %s: '%s', from %s.",
            ErrorCode.CONFIG_INVALID,
            property.getName(),
            why,
            property.getValue(),
            property.getOrigin()),
        "See the property " + property.getName() + ". " + ErrorCode.CONFIG_INVALID.advice(),
        cause);
  }
}
