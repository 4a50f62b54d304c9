package io.canopygrid.jcache;

import java.io.ObjectInputFilter;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Properties;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The properties of a manager, read. */
final class ManagerProperties {
  private static final Duration SWEEP = Duration.ofMinutes(10);

  private final Properties properties;

  ManagerProperties(Properties properties) {
    this.properties = properties;
  }

  @Nullable ObjectInputFilter filter() {
    String pattern = properties.getProperty(CanopyCachingProvider.SERIAL_FILTER);
    try {
      return pattern == null ? null : ObjectInputFilter.Config.createFilter(pattern);
    } catch (IllegalArgumentException e) {
      throw wrong(CanopyCachingProvider.SERIAL_FILTER, pattern, e);
    }
  }

  Clock clock() {
    return properties.get(CanopyCachingProvider.CLOCK) instanceof Clock given
        ? given
        : Clock.systemUTC();
  }

  /** The time between two searches; zero for none. */
  Duration sweep() {
    String text = properties.getProperty(CanopyCachingProvider.SWEEP);
    try {
      Duration duration = text == null ? SWEEP : Duration.parse(text);
      if (duration.isNegative()) {
        throw new DateTimeException("it is negative");
      }
      return duration;
    } catch (DateTimeException e) {
      throw wrong(CanopyCachingProvider.SWEEP, text, e);
    }
  }

  private static CacheException wrong(
      String property, @Nullable String value, RuntimeException cause) {
    return new CacheException(
        "the property " + property + " is '" + value + "': " + cause.getMessage(), cause);
  }
}
