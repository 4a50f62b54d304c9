package io.canopygrid.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link ByteWriter} wrote, from bytes that may come from anywhere. Malformed bytes end
 * in {@link MalformedBytesException}, and no length in them makes the reader allocate more than
 * they hold. A format with types of its own adds them in a subclass. Confined to one thread.
 */
public class ByteReader {
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int at;

  /** A reader of all these bytes, which it does not copy. */
  public ByteReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** A reader of the bytes from one position, inclusive, to another, exclusive. */
  public ByteReader(byte[] bytes, int from, int to) {
    if (from < 0 || to < from || to > bytes.length) {
      throw new IllegalArgumentException(
          "0 <= from <= to <= length: from=" + from + " to=" + to + " length=" + bytes.length);
    }
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** The number of bytes left. */
  public final int remaining() {
    return end - at;
  }

  /** The next byte, 0 to 255. */
  public final int readByte() {
    require(1);
    return bytes[at++] & 0xFF;
  }

  /** Four bytes, most significant first. */
  public final int readInt() {
    require(4);
    int value = (int) INT.get(bytes, at);
    at += 4;
    return value;
  }

  /** Eight bytes, most significant first. */
  public final long readLong() {
    require(8);
    long value = (long) LONG.get(bytes, at);
    at += 8;
    return value;
  }

  /** A number of {@link ByteWriter#writeVarLong}, in its one shortest form only. */
  public final long readVarLong() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = readByte();
      value |= (b & 0x7FL) << shift;
      if (b < 0x80) {
        if ((b == 0 && shift > 0) || (shift == 63 && b > 1)) {
          throw new MalformedBytesException("number not in its shortest form before byte " + at);
        }
        return value;
      }
    }
    throw new MalformedBytesException("number of more than ten bytes before byte " + at);
  }

  /** A number from 0 to a maximum. */
  public final int readCount(int max) {
    long value = readVarLong();
    if (value < 0 || value > max) {
      throw new MalformedBytesException(
          "count must be from 0 to " + max + " before byte " + at + ": " + value);
    }
    return (int) value;
  }

  /** The next bytes, this many. */
  public final byte[] readRaw(int length) {
    require(length);
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  /** A length and that many bytes, at most all that are left. */
  public final byte[] readBytes() {
    return readRaw(readLength());
  }

  /** A length in bytes and text in UTF-8. */
  public final String readText() {
    int length = readLength();
    int from = at;
    at += length;
    if (isAscii(from, length)) {
      return new String(bytes, from, length, StandardCharsets.US_ASCII);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new MalformedBytesException("text is not UTF-8 before byte " + at, e);
    }
  }

  private int readLength() {
    long length = readVarLong();
    if (length < 0 || length > remaining()) {
      throw new MalformedBytesException(
          "length must be from 0 to " + remaining() + " before byte " + at + ": " + length);
    }
    return (int) length;
  }

  private boolean isAscii(int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Checks that nothing is left. */
  public final void end() {
    if (at != end) {
      throw new MalformedBytesException(remaining() + " bytes too many from byte " + at);
    }
  }

  private void require(int length) {
    if (length < 0 || length > end - at) {
      throw new MalformedBytesException(
          "ends too early: " + length + " bytes wanted at byte " + at + ", has " + remaining());
    }
  }
}
