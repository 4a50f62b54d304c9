package io.canopygrid;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks of what callers pass in; each failure is a coded error that names the argument. */
final class Arguments {
  private Arguments() {}

  /** The argument itself unless it is null. */
  static <T> T notNull(String what, @Nullable T value) {
    if (value == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
    return value;
  }

  /** The value if it is from min to max, both included. */
  static long inRange(String what, long value, long min, long max) {
    if (value < min || value > max) {
      throw invalid(what + " must be from " + min + " to " + max + ": " + what + "=" + value);
    }
    return value;
  }

  /** The duration if it is from min to max, both included. */
  static Duration inRange(String what, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw invalid(what + " must be from " + min + " to " + max + ": " + what + "=" + value);
    }
    return value;
  }

  static CanopyException invalid(String detail) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, detail);
  }
}
