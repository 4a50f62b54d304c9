package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/** Durations with their unit. */
public record Durations(Quantities quantities) implements Kind<Duration> {
  /** Durations of a range. */
  public Durations(Duration min, Duration max) {
    this(Quantities.millis(min.toMillis(), max.toMillis()));
  }

  @Override
  public String what() {
    return "time";
  }

  @Override
  public String unit() {
    return quantities.units();
  }

  @Override
  public String range() {
    return quantities.range();
  }

  @Override
  public Duration parse(String text) throws WrongValueException {
    return Duration.ofMillis(quantities.parse(text));
  }

  @Override
  public Duration read(FileNode node) throws WrongValueException {
    return Duration.ofMillis(quantities.read(node));
  }

  @Override
  public String text(Duration value) {
    return quantities.text(value.toMillis());
  }

  @Override
  public String yaml(Duration value) {
    return text(value);
  }

  @Override
  public void schema(ObjectNode schema) {
    quantities.schema(schema);
  }
}
