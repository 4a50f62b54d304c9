package io.canopygrid.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends numbers, bytes and text to a growing array; {@link ByteReader} reads them. Confined to
 * one thread.
 */
public final class ByteWriter {
  private byte[] bytes;
  private int size;

  /** A writer with room for this many bytes before it first grows. */
  public ByteWriter(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** How many bytes have been written. */
  public int size() {
    return size;
  }

  /** The lowest eight bits. */
  public ByteWriter writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** Four bytes, most significant first. */
  public ByteWriter writeInt(int value) {
    return writeShort(value >>> 16).writeShort(value);
  }

  /** Eight bytes, most significant first. */
  public ByteWriter writeLong(long value) {
    return writeInt((int) (value >>> 32)).writeInt((int) value);
  }

  /** One to ten bytes of seven bits each, least significant first; short for small numbers >= 0. */
  public ByteWriter writeVarLong(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      writeByte((int) (rest | 0x80));
      rest >>>= 7;
    }
    return writeByte((int) rest);
  }

  /** The bytes as they are. */
  public ByteWriter writeRaw(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  /** The length and the bytes. */
  public ByteWriter writeBytes(byte[] value) {
    return writeVarLong(value.length).writeRaw(value);
  }

  /** The length in bytes and the UTF-8 of the text. */
  public ByteWriter writeText(String value) {
    return writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** A copy of what has been written. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private ByteWriter writeShort(int value) {
    return writeByte(value >>> 8).writeByte(value);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), size + (size >> 1) + 16));
    }
  }
}
