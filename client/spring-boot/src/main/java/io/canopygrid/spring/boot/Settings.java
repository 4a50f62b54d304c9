package io.canopygrid.spring.boot;

import io.canopygrid.CanopyException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An immutable configuration to which properties are applied one by one, so that the one that is
 * wrong is known by its name.
 *
 * @param <C> the configuration
 */
final class Settings<C> {
  private final String prefix;
  private C made;

  /** Begins with the defaults. */
  Settings(String prefix, C defaults) {
    this.prefix = prefix;
    this.made = defaults;
  }

  /** Applies a property if it is given. */
  <T> Settings<C> with(String name, @Nullable T value, BiFunction<C, T, C> change) {
    if (value != null) {
      try {
        made = change.apply(made, value);
      } catch (CanopyException e) {
        throw new WrongSettingException(prefix + name, e);
      }
    }
    return this;
  }

  C made() {
    return made;
  }
}
