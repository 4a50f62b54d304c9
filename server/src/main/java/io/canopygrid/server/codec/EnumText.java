package io.canopygrid.server.codec;

import io.canopygrid.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a constant of an enum whose class is not here: its place in the class, a colon, and
 * its name, as in {@code 1:PAID}.
 */
final class EnumText {
  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,5}):(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)");
  private static final int PLACE_MAX = 0xFFFF;

  private EnumText() {}

  /** The bytes that the codec of the class makes of that constant. */
  static byte[] parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(1)) > PLACE_MAX) {
      throw new IllegalArgumentException("a constant is its place and its name, as in 1:PAID");
    }
    byte[] name = Codec.string().encode(form.group(2));
    return ByteBuffer.allocate(Short.BYTES + name.length)
        .putShort((short) Integer.parseInt(form.group(1)))
        .put(name)
        .array();
  }

  /** The text of such bytes. */
  static String print(byte[] bytes) {
    int place = ByteBuffer.wrap(bytes).getShort() & PLACE_MAX;
    return place
        + ":"
        + Codec.string().decode(Arrays.copyOfRange(bytes, Short.BYTES, bytes.length));
  }
}
