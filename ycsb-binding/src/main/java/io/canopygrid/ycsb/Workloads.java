package io.canopygrid.ycsb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/** YCSB's core workloads A to F, which come with this module as resources. */
public final class Workloads {
  /** The names of the workloads. */
  public static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

  private Workloads() {}

  /**
   * The properties of one workload; the caller may change them.
   *
   * @param name one of {@link #NAMES}
   * @throws IllegalArgumentException for any other name
   */
  public static Properties load(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException("workload must be one of " + NAMES + ": " + name);
    }
    try (InputStream file =
        Workloads.class.getResourceAsStream("workloads/" + name + ".properties")) {
      if (file == null) {
        throw new IOException("workload " + name + " is not on the class path");
      }
      Properties properties = new Properties();
      properties.load(file);
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
