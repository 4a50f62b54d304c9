package io.canopygrid.study.tree;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.nio.ByteBuffer;

/**
 * One operation on a tree, a transaction of its own.
 *
 * @param kind what it does
 * @param key its key, or where a scan begins
 * @param value what {@link Kind#PUT} writes
 * @param limit most entries of a scan, at least 1
 */
public record Operation(Kind kind, byte[] key, byte[] value, int limit) {
  private static final byte[] NONE = new byte[0];

  /** The kinds of operations. */
  public enum Kind {
    GET,
    PUT,
    REMOVE,
    /** Reads a value and counts up its first eight bytes. */
    READ_MODIFY_WRITE,
    SCAN;

    boolean writes() {
      return this == PUT || this == REMOVE || this == READ_MODIFY_WRITE;
    }
  }

  /** Looks a key up. */
  public static Operation get(byte[] key) {
    return new Operation(Kind.GET, key, NONE, 1);
  }

  /** Writes an entry, new or not. */
  public static Operation put(byte[] key, byte[] value) {
    return new Operation(Kind.PUT, key, value, 1);
  }

  /** Removes an entry if there is one. */
  public static Operation remove(byte[] key) {
    return new Operation(Kind.REMOVE, key, NONE, 1);
  }

  /**
   * Reads a value and writes it counted up ({@link #countedUp}); without a value it does nothing.
   */
  public static Operation readModifyWrite(byte[] key) {
    return new Operation(Kind.READ_MODIFY_WRITE, key, NONE, 1);
  }

  /** Reads the entries from a key on. */
  public static Operation scan(byte[] from, int limit) {
    return new Operation(Kind.SCAN, from, NONE, limit);
  }

  /** A value of at least eight bytes whose first eight, as a number, are one more. */
  public static byte[] countedUp(byte[] value) {
    byte[] next = value.clone();
    ByteBuffer.wrap(next).putLong(0, ByteBuffer.wrap(value).getLong(0) + 1);
    return next;
  }

  /** As bytes. */
  public void write(ByteWriter out) {
    out.writeText(kind.name()).writeBytes(key).writeBytes(value).writeInt(limit);
  }

  /** Reads an operation from bytes. */
  public static Operation read(ByteReader in) {
    return new Operation(Kind.valueOf(in.readText()), in.readBytes(), in.readBytes(), in.readInt());
  }
}
