package io.canopygrid.study.scale;

import io.canopygrid.gmu.simulation.TimedCosts;
import io.canopygrid.study.tree.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The processor time of messages and operations, as {@link Calibration} measured it.
 *
 * @param grid of messages
 * @param operations processor time of an operation at the node where it begins, by the name of its
 *     kind, in nanoseconds
 * @param scannedEntry the same of one entry of a scan
 */
public record Costs(TimedCosts grid, Map<String, Long> operations, long scannedEntry) {
  private static final String STEP = "step.";
  private static final String OPERATION = "operation.";

  public Costs {
    operations = Map.copyOf(operations);
  }

  /** The costs measured for the results in docs/internals/evaluation.md. */
  public static Costs measured() {
    try (InputStream in = Costs.class.getResourceAsStream("costs.properties")) {
      if (in == null) {
        throw new IOException("costs.properties is not on the class path");
      }
      Properties properties = new Properties();
      properties.load(in);
      return of(properties);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The costs in a file that {@code canopy study calibrate} has written.
   *
   * @throws IllegalArgumentException if something is missing there
   */
  public static Costs load(Path file) throws IOException {
    try (Reader in = Files.newBufferedReader(file)) {
      Properties properties = new Properties();
      properties.load(in);
      return of(properties);
    }
  }

  static Costs of(Properties properties) {
    Map<String, Long> steps = new HashMap<>();
    Map<String, Long> operations = new HashMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(STEP)) {
        steps.put(name.substring(STEP.length()), number(properties, name));
      } else if (name.startsWith(OPERATION)) {
        operations.put(name.substring(OPERATION.length()), number(properties, name));
      }
    }
    TimedCosts grid =
        new TimedCosts(
            (int) number(properties, "cores"),
            number(properties, "latency"),
            number(properties, "send"),
            number(properties, "receive"),
            number(properties, "call"),
            steps,
            number(properties, "other-step"));
    return new Costs(grid, operations, number(properties, "scanned-entry"));
  }

  private static long number(Properties properties, String name) {
    String text = properties.getProperty(name);
    try {
      return Long.parseLong(text == null ? "" : text.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a whole number: " + text, e);
    }
  }

  /** Processor time of an operation where it begins. */
  public long of(Operation operation) {
    long fixed = operations.getOrDefault(operation.kind().name(), 0L);
    return operation.kind() == Operation.Kind.SCAN
        ? fixed + operation.limit() * scannedEntry
        : fixed;
  }
}
