package io.canopygrid.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link ByteWriter} wrote, from bytes that may come from anywhere: whatever is wrong
 * with them ends in {@link MalformedBytesException}, and no length in them makes it allocate more
 * than they hold. Confined to one thread.
 */
public final class ByteReader {
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

  /** How many bytes are left. */
  public int remaining() {
    return end - at;
  }

  /** The next byte, 0 to 255. */
  public int readByte() {
    require(1);
    return bytes[at++] & 0xFF;
  }

  /** Four bytes, most significant first. */
  public int readInt() {
    require(4);
    int value = ByteBuffer.wrap(bytes).getInt(at);
    at += 4;
    return value;
  }

  /** Eight bytes, most significant first. */
  public long readLong() {
    require(8);
    long value = ByteBuffer.wrap(bytes).getLong(at);
    at += 8;
    return value;
  }

  /** A number of {@link ByteWriter#writeVarLong}, in its one shortest form only. */
  public long readVarLong() {
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
  public int readCount(int max) {
    long value = readVarLong();
    if (value < 0 || value > max) {
      throw new MalformedBytesException(
          "count must be from 0 to " + max + " before byte " + at + ": " + value);
    }
    return (int) value;
  }

  /** The next bytes, this many. */
  public byte[] readRaw(int length) {
    require(length);
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  /** A length and that many bytes, at most all that are left. */
  public byte[] readBytes() {
    long length = readVarLong();
    if (length < 0 || length > remaining()) {
      throw new MalformedBytesException(
          "length must be from 0 to " + remaining() + " before byte " + at + ": " + length);
    }
    return readRaw((int) length);
  }

  /** A length in bytes and text in UTF-8. */
  public String readText() {
    byte[] utf8 = readBytes();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedBytesException("text is not UTF-8 before byte " + at, e);
    }
  }

  /** Checks that nothing is left. */
  public void end() {
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
