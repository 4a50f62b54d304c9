package io.canopygrid.btree.subtree;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;

/** Encoded user keys: bytes in unsigned lexicographic order. */
public final class Keys {
  /** The order of keys. */
  public static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  private Keys() {}

  /**
   * The shortest key above {@code below} and at most {@code above}: what a subtree's range can
   * begin with instead of its lowest key (Bayer and Unterauer, TODS 1977: prefix B-trees).
   *
   * @param below less than {@code above}
   */
  public static byte[] separator(byte[] below, byte[] above) {
    int common = Arrays.mismatch(below, above);
    return Arrays.copyOf(above, common + 1);
  }

  /** A key for people, in hexadecimal. */
  public static String text(byte[] key) {
    return HexFormat.of().formatHex(key);
  }
}
