package io.canopygrid.config;

/**
 * The place of a value.
 *
 * @param source the file's name, {@code environment variable …}, {@code option …} or {@code
 *     default}
 * @param line from 1, 0 outside of files
 * @param column from 1, 0 outside of files
 */
public record Place(String source, int line, int column) {
  static final Place DEFAULT = new Place("default", 0, 0);

  static Place environment(String name) {
    return new Place("environment variable " + name, 0, 0);
  }

  static Place option(String name) {
    return new Place("option " + name, 0, 0);
  }

  static Place file(String name) {
    return new Place(name, 0, 0);
  }

  boolean isDefault() {
    return equals(DEFAULT);
  }

  /** {@code canopy.yaml:3:5}, or the source alone. */
  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line + ":" + column;
  }
}
