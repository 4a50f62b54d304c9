package io.canopygrid.config;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The value of each setting, and where it comes from. Filled by one thread, from weak to strong.
 */
public final class SettingValues {
  private final Map<Setting<?>, Sourced> bySetting = new HashMap<>();

  private record Sourced(Object value, Place at) {}

  <T> void put(Setting<T> setting, T value, Place at) {
    bySetting.put(setting, new Sourced(value, at));
  }

  /** The value that was given, or the default; null where there is neither. */
  @SuppressWarnings("unchecked") // put takes a setting with its own type only
  public <T> @Nullable T find(Setting<T> setting) {
    Sourced given = bySetting.get(setting);
    return given == null ? setting.byDefault() : (T) given.value();
  }

  /** The value of a setting that has a default. */
  public <T> T get(Setting<T> setting) {
    T value = find(setting);
    if (value == null) {
      throw new IllegalArgumentException(setting.path() + " has no default");
    }
    return value;
  }

  /** The place that the value comes from. */
  public Place at(Setting<?> setting) {
    Sourced given = bySetting.get(setting);
    return given == null ? Place.DEFAULT : given.at();
  }

  /** Whether a file, a variable or an option gives it. */
  public boolean isGiven(Setting<?> setting) {
    return bySetting.containsKey(setting);
  }

  /** The value as text; empty where there is none. */
  <T> String text(Setting<T> setting) {
    T value = find(setting);
    return value == null ? "" : setting.kind().text(value);
  }
}
