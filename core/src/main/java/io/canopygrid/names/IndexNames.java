package io.canopygrid.names;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the names of indexes, which stand in commands, files and metrics without quoting. */
public final class IndexNames {
  private static final Pattern ALLOWED =
      Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0," + (Limits.INDEX_NAME_MAX - 1) + "}");

  private IndexNames() {}

  /**
   * The name itself if it is allowed.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_INDEX_NAME}, {@link
   *     ErrorCode#NULL_NOT_ALLOWED}
   */
  public static String checked(@Nullable String name) {
    if (name == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the name of an index is null");
    }
    if (!ALLOWED.matcher(name).matches()) {
      throw new CanopyException(
          ErrorCode.INVALID_INDEX_NAME, "no index can have the name '" + printable(name) + "'");
    }
    return name;
  }

  /**
   * The name with invisible characters as code points, cut where it is too long, so that a log
   * stays whole.
   */
  private static String printable(String name) {
    StringBuilder text = new StringBuilder();
    name.codePoints()
        .limit(Limits.INDEX_NAME_MAX + 1L)
        .forEach(c -> {
          if (c > ' ' && c < 0x7F) {
            text.append((char) c);
          } else {
            text.append(String.format(Locale.ROOT, "\\u{%X}", c));
          }
        });
    return text.length() < name.length() ? text + "…" : text.toString();
  }
}
