package io.canopygrid.names;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the names of named snapshots, which are as those of indexes. A name followed by {@code @}
 * and the snapshot's time in milliseconds means this snapshot only, and none that is taken later.
 */
public final class SnapshotNames {
  private static final Pattern ALLOWED =
      Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0," + (Limits.INDEX_NAME_MAX - 1) + "}");

  private static final char TAKEN = '@';

  private SnapshotNames() {}

  /** The text that means this snapshot and no other one. */
  public static String exact(String name, long takenMillis) {
    return name + TAKEN + takenMillis;
  }

  /** Whether a text means one snapshot, not whichever has the name. */
  public static boolean isExact(String snapshot) {
    return snapshot.indexOf(TAKEN) >= 0;
  }

  /** The name in a text, exact or not. */
  public static String name(String snapshot) {
    int end = snapshot.indexOf(TAKEN);
    return end < 0 ? snapshot : snapshot.substring(0, end);
  }

  /** There is no such snapshot, or not any more. */
  public static CanopyException unknown(String snapshot) {
    String name = name(snapshot);
    return new CanopyException(
        ErrorCode.UNKNOWN_SNAPSHOT,
        isExact(snapshot)
            ? "snapshot '" + name + "' was dropped; a later snapshot of this name is another one"
            : "there is no snapshot '" + name + "'");
  }

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
