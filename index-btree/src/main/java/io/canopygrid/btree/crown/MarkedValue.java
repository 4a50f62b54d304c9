package io.canopygrid.btree.crown;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of clones as they are stored: a byte 1 and the value, or a mask, which hides what is
 * below it.
 */
public final class MarkedValue {
  private static final byte VALUE = 1;

  private MarkedValue() {}

  /** A mask. The array is the caller's own. */
  public static byte[] mask() {
    return new byte[] {0};
  }

  /** A value as it is stored. */
  public static byte[] of(byte[] value) {
    byte[] marked = new byte[value.length + 1];
    marked[0] = VALUE;
    System.arraycopy(value, 0, marked, 1, value.length);
    return marked;
  }

  /** The value of what is stored; null: it is a mask. */
  public static byte @Nullable [] valueOf(byte[] stored) {
    return stored[0] == VALUE ? Arrays.copyOfRange(stored, 1, stored.length) : null;
  }

  /**
   * The value of what is stored in a layer; null: it is a mask.
   *
   * @param isMarked whether the layer is a clone; else what is stored is the value
   */
  public static byte @Nullable [] valueOf(byte[] stored, boolean isMarked) {
    return isMarked ? valueOf(stored) : stored;
  }
}
