package io.canopygrid.codec;

import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;

/** Whole numbers and booleans: most significant byte first, the sign bit turned over. */
public final class Integers {
  private Integers() {}

  /** Four bytes. */
  public static byte[] encode(int value) {
    return ByteBuffer.allocate(4).putInt(value ^ Integer.MIN_VALUE).array();
  }

  /** The number of four bytes. */
  public static int decodeInt(byte[] bytes) {
    return ByteBuffer.wrap(requireLength(bytes, 4)).getInt() ^ Integer.MIN_VALUE;
  }

  /** Eight bytes. */
  public static byte[] encode(long value) {
    return ByteBuffer.allocate(8).putLong(value ^ Long.MIN_VALUE).array();
  }

  /** The number of eight bytes. */
  public static long decodeLong(byte[] bytes) {
    return ByteBuffer.wrap(requireLength(bytes, 8)).getLong() ^ Long.MIN_VALUE;
  }

  /** One byte: 0 for false, 1 for true. */
  public static byte[] encode(boolean value) {
    return new byte[] {(byte) (value ? 1 : 0)};
  }

  /** The boolean of one byte. */
  public static boolean decodeBoolean(byte[] bytes) {
    byte b = requireLength(bytes, 1)[0];
    if (b != 0 && b != 1) {
      throw new MalformedBytesException("a boolean is 0 or 1: " + b);
    }
    return b == 1;
  }

  static byte[] requireLength(byte[] bytes, int length) {
    if (bytes.length != length) {
      throw new MalformedBytesException(length + " bytes wanted, has " + bytes.length);
    }
    return bytes;
  }
}
