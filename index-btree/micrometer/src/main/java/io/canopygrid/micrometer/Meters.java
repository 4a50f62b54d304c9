package io.canopygrid.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Adds meters to a registry and knows which. The registry keeps what a meter asks, while most
 * meters of Micrometer know that weakly, and then lose it. Confined to one thread at a time.
 */
public final class Meters {
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> added = new ArrayList<>();

  /**
   * Meters of a registry, none yet.
   *
   * @param tags of all of them
   */
  public Meters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** Adds a value that goes up and down. */
  public void gauge(String name, String description, Supplier<Number> value, String... own) {
    added.add(
        Gauge.builder(name, value).description(description).tags(tags.and(own)).register(registry));
  }

  /** Adds a count that only grows. */
  public void counter(String name, String description, DoubleSupplier count, String... own) {
    added.add(
        FunctionCounter.builder(name, count, any -> count.getAsDouble())
            .description(description)
            .tags(tags.and(own))
            .register(registry));
  }

  /** Adds a duration, given in nanoseconds. */
  void time(String name, String description, LongSupplier nanos, String... own) {
    added.add(
        TimeGauge.builder(name, nanos::getAsLong, TimeUnit.NANOSECONDS)
            .description(description)
            .tags(tags.and(own))
            .register(registry));
  }

  /** Removes all of them. */
  void remove() {
    added.forEach(registry::remove);
    added.clear();
  }
}
