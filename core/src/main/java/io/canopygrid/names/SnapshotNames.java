package io.canopygrid.names;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.TransactionOptions;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the names of named snapshots, which are as those of indexes. A name followed by {@code @}
 * and the snapshot's time in milliseconds means this snapshot only, and none that is taken later.
 * {@code @} alone, followed by a time, means the state that is kept of that time.
 */
public final class SnapshotNames {
  private static final Pattern ALLOWED =
      Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0," + (Limits.INDEX_NAME_MAX - 1) + "}");

  private static final String BACKUP = "backup-";
  private static final Pattern OF_BACKUP = Pattern.compile(BACKUP + "[0-9a-f]{1,16}");
  private static final char TAKEN = '@';

  private SnapshotNames() {}

  /** The name of the snapshot that a backup takes, and drops when it ends. */
  public static String ofBackup(long random) {
    return BACKUP + Long.toHexString(random);
  }

  /** Whether a name is one that a backup gives. */
  public static boolean isOfBackup(String name) {
    return OF_BACKUP.matcher(name).matches();
  }

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

  /** The text that means the newest state that is kept of this time, or of one before. */
  public static String ofTime(long millis) {
    return TransactionOptions.DEFAULTS.asOf(Instant.ofEpochMilli(millis)).snapshot();
  }

  /** Whether a text means a state that is kept by its time. */
  public static boolean isTime(String snapshot) {
    return !snapshot.isEmpty() && snapshot.charAt(0) == TAKEN;
  }

  /**
   * The time that a text means, in milliseconds since 1970.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  public static long timeMillis(String snapshot) {
    try {
      long millis = Long.parseLong(snapshot, 1, snapshot.length(), 10);
      if (millis >= 0) {
        return millis;
      }
    } catch (NumberFormatException e) {
      // it is told below
    }
    throw new CanopyException(
        ErrorCode.INVALID_ARGUMENT, "not a time in milliseconds since 1970: '" + snapshot + "'");
  }

  /** The snapshot as errors name it. */
  public static String words(String snapshot) {
    return isTime(snapshot)
        ? "the state of " + Instant.ofEpochMilli(timeMillis(snapshot))
        : "snapshot '" + name(snapshot) + "'";
  }

  /** There is no such snapshot, or not any more. */
  public static CanopyException unknown(String snapshot) {
    String words = words(snapshot);
    String why;
    if (isTime(snapshot)) {
      why = words + " is not kept any more";
    } else if (isExact(snapshot)) {
      why = words + " was dropped; a later snapshot of this name is another one";
    } else {
      why = "there is no " + words;
    }
    return new CanopyException(ErrorCode.UNKNOWN_SNAPSHOT, why);
  }

  /**
   * The text itself if it is empty, which means the present, or means a snapshot, exactly or not,
   * or a state that is kept by its time.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  public static String checkedState(String text) {
    if (isTime(text)) {
      timeMillis(text);
    } else if (!text.isEmpty()) {
      checked(name(text));
    }
    return text;
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
