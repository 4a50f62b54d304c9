package io.canopygrid.engine;

import io.canopygrid.Codec;
import java.util.HexFormat;

/** Keys in errors. */
public final class KeyText {
  private static final int LENGTH_MAX = 80;

  private KeyText() {}

  /** The key as its type prints it, cut where it is long; its bytes where the codec fails. */
  public static <K> String of(Codec<K> codec, byte[] key) {
    String text;
    try {
      K value = codec.decode(key);
      text = value instanceof byte[] ? hex(key) : String.valueOf(value);
    } catch (RuntimeException e) {
      text = hex(key);
    }
    return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX) + "…";
  }

  private static String hex(byte[] key) {
    return "0x" + HexFormat.of().formatHex(key);
  }
}
