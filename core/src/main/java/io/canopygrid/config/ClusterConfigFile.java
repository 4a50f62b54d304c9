package io.canopygrid.config;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.ErrorCode;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads how an embedded node takes part in its cluster from a file, with the names and units of a
 * server's configuration: sections {@code cluster}, {@code node}, {@code data} and {@code balance}
 * of docs/reference/configuration.md.
 *
 * <pre>{@code
 * cluster:
 *   name: shop
 *   members: ["vm1:7800", "vm2:7800"]
 *   lockTimeout: 100ms
 * }</pre>
 *
 * <p>The cluster's name must be given. A file whose name ends in {@code .json} is JSON. Others are
 * YAML, for which {@code jackson-dataformat-yaml} must be on the class path. The environment is not
 * looked at.
 */
public final class ClusterConfigFile {
  private ClusterConfigFile() {}

  /**
   * Reads a file. Files and directories that it names are looked for from its own directory.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} with file, line and column of all that
   *     is wrong, and the nearest right name for an unknown one
   */
  public static ClusterConfig load(Path file) {
    requireNotNull("the configuration file", file);
    return config(
        file.toString(),
        Configuration.load(ClusterSettings.SCHEMA, file, Map.of(), Map.of(), ClusterChecks::of));
  }

  /**
   * Reads a text.
   *
   * @param source what to call it in errors; the text is JSON where this ends in {@code .json}
   * @throws CanopyException as {@link #load}
   */
  public static ClusterConfig parse(String source, String text) {
    requireNotNull("the configuration", text);
    return config(
        source, Configuration.parse(ClusterSettings.SCHEMA, source, text, ClusterChecks::of));
  }

  private static void requireNotNull(String what, @Nullable Object value) {
    if (value == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
  }

  /** A cluster of applications needs a name of its own: with the default it would meet others. */
  private static ClusterConfig config(String source, Configuration configuration) {
    SettingValues values = configuration.values();
    if (!values.isGiven(ClusterSettings.NAME)) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID, source + ": '" + ClusterSettings.NAME.path() + "' is missing");
    }
    return ClusterSettings.config(values);
  }
}
