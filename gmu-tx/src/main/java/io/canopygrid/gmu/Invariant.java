package io.canopygrid.gmu;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks that are always on. The text is formatted only when the check fails; the variants with few
 * arguments cost no array where it does not.
 */
public final class Invariant {
  private Invariant() {}

  /**
   * Does nothing where the condition holds.
   *
   * @throws InvariantViolation with the text where it does not
   */
  public static void holds(boolean condition, String text) {
    if (!condition) {
      throw new InvariantViolation(text);
    }
  }

  /** The same with one argument of {@link String#format}. */
  public static void holds(boolean condition, String format, @Nullable Object a) {
    if (!condition) {
      throw violation(format, a);
    }
  }

  /** The same with a number, which becomes an object only where the condition does not hold. */
  public static void holds(boolean condition, String format, long a) {
    if (!condition) {
      throw violation(format, a);
    }
  }

  /** The same with two arguments. */
  public static void holds(
      boolean condition, String format, @Nullable Object a, @Nullable Object b) {
    if (!condition) {
      throw violation(format, a, b);
    }
  }

  /** The same with any number of arguments. */
  public static void holds(boolean condition, String format, @Nullable Object... arguments) {
    if (!condition) {
      throw violation(format, arguments);
    }
  }

  /**
   * The value, which has to be there.
   *
   * @throws InvariantViolation with the text where it is null
   */
  public static <T> T present(@Nullable T value, String text) {
    if (value == null) {
      throw new InvariantViolation(text);
    }
    return value;
  }

  /** The exception to throw in code that is never reached. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency of its own
  public static InvariantViolation violation(String format, @Nullable Object... arguments) {
    return new InvariantViolation(String.format(Locale.ROOT, format, arguments));
  }
}
