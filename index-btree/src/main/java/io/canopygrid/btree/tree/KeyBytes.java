package io.canopygrid.btree.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The operations of the tree on a key's bytes. */
final class KeyBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private KeyBytes() {}

  /** The number of bytes that the two keys share from their beginnings. */
  static int commonPrefix(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  /**
   * Up to eight bytes of the key from {@code offset} on, filled up with zeros. Of two keys that
   * agree before the offset, the key with the smaller head, <em>as a signed long</em>, is the
   * smaller one. Keys with equal heads may differ.
   *
   * @param offset 0 to the key's length
   */
  static long head(byte[] key, int offset) {
    int rest = key.length - offset;
    if (rest >= Long.BYTES) {
      return (long) LONG.get(key, offset) ^ Long.MIN_VALUE;
    }
    return shortHead(key, offset) ^ Long.MIN_VALUE;
  }

  private static long shortHead(byte[] key, int offset) {
    long head = 0;
    int shift = Long.SIZE;
    for (int i = offset; i < key.length; i++) {
      shift -= Byte.SIZE;
      head |= (key[i] & 0xffL) << shift;
    }
    return head;
  }

  /**
   * The shortest key that is above {@code below} and not above {@code above}: the separator of two
   * leaves.
   *
   * @param below the left leaf's greatest key, less than {@code above}
   */
  static byte[] separator(byte[] below, byte[] above) {
    int length = commonPrefix(below, above) + 1;
    return length == above.length ? above : Arrays.copyOf(above, length);
  }
}
