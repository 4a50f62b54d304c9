package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.text.NearestName;
import java.util.List;

/**
 * The names of codecs that a person may give for a new index. An index with a codec of its own is
 * created by its program, so another name is a mistyped one.
 */
public final class CodecNames {
  /** The names, for the help of commands. */
  public static final String LIST =
      "int32, int64, bool, string, uuid, instant, decimal, bytes, tuple(A,B,...); values also"
          + " json(CLASS)";

  private static final List<String> SIMPLE =
      List.of("int32", "int64", "bool", "string", "uuid", "instant", "decimal", "bytes");

  private CodecNames() {}

  /**
   * The text codec of keys.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: there is no such codec
   */
  public static Codec<String> ofKeys(String name) {
    if (TextCodec.isJson(name)) {
      throw refused("keys cannot be " + name + ", which has no order");
    }
    check(name);
    return TextCodec.of(name, true);
  }

  /**
   * The text codec of values.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}: there is no such codec
   */
  public static Codec<String> ofValues(String name) {
    check(name);
    return TextCodec.of(name, false);
  }

  private static void check(String name) {
    if (SIMPLE.contains(name) || name.matches("json\\([\\w.$]+\\)")) {
      return;
    }
    if (name.startsWith("tuple(") && name.endsWith(")")) {
      TupleText.components(name).forEach(CodecNames::check);
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
