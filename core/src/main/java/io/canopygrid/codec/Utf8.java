package io.canopygrid.codec;

import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as strict UTF-8, whose unsigned bytes are in the order of code points. */
public final class Utf8 {
  private Utf8() {}

  /**
   * The UTF-8 of a text.
   *
   * @throws IllegalArgumentException if it has an unpaired surrogate
   */
  public static byte[] encode(String text) {
    if (!hasSurrogate(text)) {
      return text.getBytes(StandardCharsets.UTF_8); // nothing can be wrong with it
    }
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "the text has an unpaired surrogate at index " + unpairedSurrogate(text), e);
    }
  }

  /** The text of its UTF-8. */
  public static String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedBytesException("the bytes are not UTF-8: " + e.getMessage(), e);
    }
  }

  private static boolean hasSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static int unpairedSurrogate(String text) {
    int i = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        return i;
      }
      i += Character.charCount(c);
    }
    return -1;
  }
}
