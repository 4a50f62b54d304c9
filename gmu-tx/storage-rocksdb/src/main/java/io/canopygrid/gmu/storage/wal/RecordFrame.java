package io.canopygrid.gmu.storage.wal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A record as it is in a segment: the length of its content, the place in the segment up to which
 * all was forced before it was written, its position, the content, and a CRC32C. The CRC covers the
 * disk and the number of the segment, too, so a record of another one is none. Confined to one
 * thread.
 */
final class RecordFrame {
  /** The bytes beside the content. */
  static final int AROUND = Integer.BYTES + 2 * Long.BYTES + Integer.BYTES;

  private static final int SALT = 2 * Long.BYTES;
  private static final int FORCED = SALT + Integer.BYTES;
  private static final int POSITION = FORCED + Long.BYTES;
  private static final int CONTENT = POSITION + Long.BYTES;

  /** The bytes of a record in front of its content. */
  static final int BEFORE = CONTENT - SALT;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final CRC32C crc = new CRC32C();

  /** The salt, which the CRC covers and which is not written, and the record. */
  private byte[] bytes = new byte[1 << 12];

  RecordFrame(SegmentHeader of) {
    LONG.set(bytes, 0, of.disk());
    LONG.set(bytes, Long.BYTES, of.number());
  }

  /** Makes the record of a content; returns its length. */
  int fill(ByteBuffer content, long forced, long position) {
    int length = content.remaining();
    reserve(length);
    INT.set(bytes, SALT, length);
    LONG.set(bytes, FORCED, forced);
    LONG.set(bytes, POSITION, position);
    content.get(bytes, CONTENT, length);
    INT.set(bytes, CONTENT + length, crc(length));
    return AROUND + length;
  }

  /** The array with the record. */
  byte[] array() {
    return bytes;
  }

  /** The place in the array at which the record begins. */
  int begin() {
    return SALT;
  }

  /** Makes room for a record that is read, of a content with this length. */
  void reserve(int length) {
    int size = Math.addExact(CONTENT + Integer.BYTES, length);
    if (bytes.length < size) {
      bytes = Arrays.copyOf(bytes, Math.max(size, 2 * bytes.length));
    }
  }

  /** Whether the array has a record as it was written, of a content with this length. */
  boolean isWhole(int length) {
    return (int) INT.get(bytes, CONTENT + length) == crc(length);
  }

  private int crc(int length) {
    crc.reset();
    crc.update(bytes, 0, CONTENT + length);
    return (int) crc.getValue();
  }

  int length() {
    return (int) INT.get(bytes, SALT);
  }

  long forced() {
    return (long) LONG.get(bytes, FORCED);
  }

  long position() {
    return (long) LONG.get(bytes, POSITION);
  }

  /** Reads the content. */
  ByteBuffer content(int length) {
    return ByteBuffer.wrap(bytes, CONTENT, length);
  }
}
