package io.canopygrid.function;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the names of registered functions: those of indexes are allowed, but not those of the
 * built-in functions.
 */
final class FunctionNames {
  private static final Pattern ALLOWED =
      Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0," + (Limits.INDEX_NAME_MAX - 1) + "}");

  private FunctionNames() {}

  /**
   * The name itself if it is allowed.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}, {@link ErrorCode#NULL_NOT_ALLOWED}
   */
  static String checked(@Nullable String name) {
    if (name == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the name of a function is null");
    }
    if (!ALLOWED.matcher(name).matches() || name.startsWith(Functions.PREFIX)) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "a function's name has 1 to 128 letters, digits, '.', '_' or '-', beginning with a"
              + " letter, and not with "
              + Functions.PREFIX);
    }
    return name;
  }
}
