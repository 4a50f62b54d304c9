package io.canopygrid.server.codec;

import io.canopygrid.Codec;
import java.util.Arrays;

/** The text of the keys at which subtrees begin. */
public final class SeparatorText {
  private SeparatorText() {}

  /**
   * A separator as text. A separator need not be a whole key: where all keys have one length, the
   * first key from it on is shown; where it cannot be decoded, its bytes are.
   */
  public static String of(byte[] key, Codec<String> keys) {
    if (key.length == 0) {
      return "(first)";
    }
    try {
      return keys.decode(Arrays.copyOf(key, Math.max(key.length, keys.fixedLength())));
    } catch (RuntimeException e) {
      return TextCodec.of("bytes", true).decode(key);
    }
  }
}
