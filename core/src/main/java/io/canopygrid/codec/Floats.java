package io.canopygrid.codec;

import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;

/**
 * Floating-point numbers: their eight bytes in IEEE 754, most significant first, with the sign bit
 * turned over, or all bits where the number is negative. So the order is that of {@link
 * Double#compare}.
 */
public final class Floats {
  private Floats() {}

  /** Eight bytes; all that is not a number has the same ones. */
  public static byte[] encode(double value) {
    long bits = Double.doubleToLongBits(value);
    return ByteBuffer.allocate(8).putLong(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE).array();
  }

  /** The number of eight bytes. */
  public static double decode(byte[] bytes) {
    long turned = ByteBuffer.wrap(Integers.requireLength(bytes, 8)).getLong();
    long bits = turned < 0 ? turned ^ Long.MIN_VALUE : ~turned;
    double value = Double.longBitsToDouble(bits);
    if (Double.doubleToLongBits(value) != bits) {
      throw new MalformedBytesException("another encoding of NaN: " + Long.toHexString(bits));
    }
    return value;
  }
}
