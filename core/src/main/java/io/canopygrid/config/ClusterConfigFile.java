package io.canopygrid.config;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Reads how an embedded node takes part in its cluster from a file, with the names and units of a
 * server's configuration: sections {@code cluster} and {@code balance} of
 * docs/reference/configuration.md.
 *
 * <pre>{@code
 * cluster:
 *   name: shop
 *   members: ["vm1:7800", "vm2:7800"]
 *   lockTimeout: 100ms
 * }</pre>
 *
 * <p>A file whose name ends in {@code .json} is JSON. Other files are YAML, for which {@code
 * jackson-dataformat-yaml} must be on the class path. The environment is not looked at.
 */
public final class ClusterConfigFile {
  private ClusterConfigFile() {}

  /**
   * Reads a file. Files that it names are looked for from its own directory.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} with file, line and column of all that
   *     is wrong, and the nearest right name for an unknown one
   */
  public static ClusterConfig load(Path file) {
    Objects.requireNonNull(file, "the configuration file");
    return config(
        Configuration.load(ClusterSettings.SCHEMA, file, Map.of(), Map.of(), ClusterChecks::of));
  }

  /**
   * Reads a text.
   *
   * @param source what to call it in errors; the text is JSON where this ends in {@code .json}
   * @throws CanopyException as {@link #load}
   */
  public static ClusterConfig parse(String source, String text) {
    Objects.requireNonNull(text, "the configuration");
    return config(Configuration.parse(ClusterSettings.SCHEMA, source, text, ClusterChecks::of));
  }

  private static ClusterConfig config(Configuration configuration) {
    return ClusterSettings.config(configuration.values());
  }
}
