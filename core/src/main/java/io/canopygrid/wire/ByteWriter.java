package io.canopygrid.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends numbers, bytes and text to a growing array; {@link ByteReader} reads them. A format with
 * types of its own adds them in a subclass. Confined to one thread.
 */
public class ByteWriter {
  private byte[] bytes;
  private int size;

  /** A writer with room for this many bytes before it first grows. */
  public ByteWriter(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** A writer that writes in an array until that is full, and then in one of its own. */
  protected ByteWriter(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The number of bytes written. */
  public final int size() {
    return size;
  }

  /** The lowest eight bits. */
  public final ByteWriter writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** Four bytes, most significant first. */
  public final ByteWriter writeInt(int value) {
    reserve(Integer.BYTES);
    ByteReader.INT.set(bytes, size, value);
    size += Integer.BYTES;
    return this;
  }

  /** Eight bytes, most significant first. */
  public final ByteWriter writeLong(long value) {
    reserve(Long.BYTES);
    ByteReader.LONG.set(bytes, size, value);
    size += Long.BYTES;
    return this;
  }

  /** One to ten bytes of seven bits each, least significant first; short for small numbers >= 0. */
  public final ByteWriter writeVarLong(long value) {
    // Seven bits a byte, rounded up; 0 takes one byte as well.
    reserve((Long.SIZE + 6 - Long.numberOfLeadingZeros(value | 1)) / 7);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
    return this;
  }

  /** The bytes as they are. */
  public final ByteWriter writeRaw(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  /** The length and the bytes. */
  public final ByteWriter writeBytes(byte[] value) {
    return writeVarLong(value.length).writeRaw(value);
  }

  /** The length in bytes and the UTF-8 of the text. */
  public final ByteWriter writeText(String value) {
    return writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** A copy of the bytes written. */
  public final byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** The bytes written, in the writer's own array: nothing more may be written afterwards. */
  public final ByteBuffer written() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  /** The writer's own array, with the bytes written in front. */
  public final byte[] array() {
    return bytes;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), 2 * size + 16));
    }
  }
}
