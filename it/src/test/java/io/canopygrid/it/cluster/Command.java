package io.canopygrid.it.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line between a test and a node: a word, then names with values. No spaces in either.
 *
 * @param word what to do, or how it went
 * @param values by name
 */
record Command(String word, Map<String, String> values) {
  Command {
    values = Map.copyOf(values);
  }

  static Command of(String word) {
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

  /** This command with one value more. */
  Command with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value.toString().replace(' ', '_'));
    return new Command(word, more);
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("value expected: " + name + " in " + this);
    }
    return value;
  }

  long number(String name) {
    return Long.parseLong(text(name));
  }

  int integer(String name) {
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
