package io.canopygrid.runtime;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.TransactionOptions;
import io.canopygrid.names.SnapshotNames;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks of what callers pass to a handle. */
final class CallChecks {
  private CallChecks() {}

  /**
   * Checks that the options are of the present, which can be written to and validated.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  static void checkPresent(TransactionOptions options) {
    if (!options.snapshot().isEmpty()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          SnapshotNames.words(options.snapshot())
              + " is for plain reads: it cannot be written to, and has nothing to validate");
    }
  }

  /**
   * Checks that a function may take as long as the options say.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  static void checkFunctionTime(TransactionOptions options) {
    if (options.timeout().compareTo(Duration.ofMinutes(Limits.FUNCTION_MINUTES_MAX)) > 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "a function takes at most "
              + Limits.FUNCTION_MINUTES_MAX
              + " minutes: timeout="
              + options.timeout());
    }
  }

  /**
   * Checks an argument.
   *
   * @throws CanopyException {@link ErrorCode#NULL_NOT_ALLOWED}
   */
  static void notNull(String what, @Nullable Object value) {
    if (value == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
  }
}
