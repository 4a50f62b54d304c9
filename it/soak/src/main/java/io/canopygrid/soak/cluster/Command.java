package io.canopygrid.soak.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line between a test and a node: a word, then names with values. No spaces in either.
 *
 * @param word what to do, or how it went
 * @param values by name
 */
public record Command(String word, Map<String, String> values) {
  public Command {
    values = Map.copyOf(values);
  }

  public static Command of(String word) {
    return new Command(word, Map.of());
  }

  static Command parse(String line) {
    String[] parts = line.trim().split(" ", -1);
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("name=value expected: " + parts[i]);
      }
      values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
    }
    return new Command(parts[0], values);
  }

  /** A command with the same values under another word. */
  public Command as(String other) {
    return new Command(other, values);
  }

  /** This command with one value more. */
  public Command with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value.toString().replace(' ', '_'));
    return new Command(word, more);
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("value expected: " + name + " in " + this);
    }
    return value;
  }

  public long number(String name) {
    return Long.parseLong(text(name));
  }

  public int integer(String name) {
    return Integer.parseInt(text(name));
  }

  /** The line. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(word);
    values.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.toString();
  }
}
