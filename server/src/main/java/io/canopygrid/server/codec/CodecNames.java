package io.canopygrid.server.codec;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.text.NearestName;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of codecs that a person may give for a new index. An index with a codec of its own is
 * created by its program, so another name is a mistyped one.
 */
public final class CodecNames {
  /** The names, for the help of commands. */
  public static final String LIST =
      "int32, int64, float64, bool, string, uuid, instant, date, datetime, offsetdatetime, decimal,"
          + " bytes, tuple(A,B,...), optional(A), descending(A), enum(CLASS); values also"
          + " json(CLASS)";

  /** The names of codecs that are made of no others. */
  static final List<String> SIMPLE =
      List.of(
          "int32",
          "int64",
          "float64",
          "bool",
          "string",
          "uuid",
          "instant",
          "date",
          "datetime",
          "offsetdatetime",
          "decimal",
          "bytes");

  private static final Pattern OF_CLASS = Pattern.compile("(?:json|enum)\\([\\w.$]+\\)");
  private static final Pattern OF_ANOTHER = Pattern.compile("(optional|descending)\\((.*)\\)");

  private CodecNames() {}

  /**
   * The text codec of keys.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: there is no such codec
   */
  public static Codec<String> ofKeys(String name) {
    check(name, true);
    return TextCodec.of(name, true);
  }

  /**
   * The text codec of values.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: there is no such codec
   */
  public static Codec<String> ofValues(String name) {
    check(name, false);
    return TextCodec.of(name, false);
  }

  private static void check(String name, boolean ordered) {
    if (ordered && TextCodec.isJson(name)) {
      throw refused("keys cannot be " + name + ", which has no order");
    }
    if (SIMPLE.contains(name) || OF_CLASS.matcher(name).matches()) {
      return;
    }
    Matcher ofAnother = OF_ANOTHER.matcher(name);
    if (ofAnother.matches()) {
      check(ofAnother.group(2), ordered || ofAnother.group(1).equals("descending"));
      return;
    }
    if (name.startsWith("tuple(") && name.endsWith(")")) {
      TupleText.components(name).forEach(part -> check(part, ordered));
      return;
    }
    String nearest = NearestName.of(name, SIMPLE);
    throw refused(
        "there is no codec '" + name + "', did you mean '" + nearest + "'? There are " + LIST);
  }

  private static CanopyException refused(String why) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, why);
  }
}
