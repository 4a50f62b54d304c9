package io.canopygrid.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A single setting.
 *
 * @param path section and name in a file: {@code cluster.port}
 * @param option the command line's option, empty for a secret, which a command line would show
 * @param kind what values it takes
 * @param byDefault the value unless one is given; null: none
 * @param otherwise what no value means, in words; empty where there is a default
 * @param secret whether the value is never shown
 * @param description one sentence
 * @param <T> a value
 */
public record Setting<T>(
    String path,
    String option,
    Kind<T> kind,
    @Nullable T byDefault,
    String otherwise,
    boolean secret,
    String description) {
  /** A setting with a default. */
  public static <T> Setting<T> of(
      String path, String option, Kind<T> kind, T byDefault, String description) {
    return new Setting<>(path, option, kind, byDefault, "", false, description);
  }

  /** A setting that may be left out. */
  public static <T> Setting<T> optional(
      String path, String option, Kind<T> kind, String otherwise, String description) {
    return new Setting<>(path, option, kind, null, otherwise, false, description);
  }

  /** The section of a file in which it stands: {@code cluster}. */
  public String section() {
    return path.substring(0, path.indexOf('.'));
  }

  /** The name in that section: {@code port}. */
  public String name() {
    return path.substring(path.indexOf('.') + 1);
  }

  /** {@code CANOPY_CLUSTER_PORT}. */
  public String variable() {
    String words = path.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_');
    return "CANOPY_" + words.toUpperCase(Locale.ROOT);
  }

  /** The default as it would be written, or what happens without a value. */
  public String defaultText() {
    String text = byDefault == null ? otherwise : kind.text(byDefault);
    return text.isEmpty() ? "none" : text;
  }
}
