package io.canopygrid.spi;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which names a named snapshot can have: those of indexes. */
public final class SnapshotNames {
  private static final Pattern ALLOWED =
      Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0," + (Limits.INDEX_NAME_MAX - 1) + "}");

  private SnapshotNames() {}

  /**
   * The name itself if it is allowed.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}, {@link ErrorCode#NULL_NOT_ALLOWED}
   */
  public static String checked(@Nullable String name) {
    if (name == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the name of a snapshot is null");
    }
    if (!ALLOWED.matcher(name).matches()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "a snapshot's name has 1 to 128 letters, digits, '.', '_' or '-', beginning with a"
              + " letter");
    }
    return name;
  }
}
