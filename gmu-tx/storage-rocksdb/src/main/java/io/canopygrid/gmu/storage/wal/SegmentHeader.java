package io.canopygrid.gmu.storage.wal;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a segment: a mark, the form, the fields, and the CRC32C of all that.
 * Immutable.
 *
 * @param disk whose log it is
 * @param number of the segment, at least 1; it rises by 1
 * @param position of the last record before this segment; 0: there was none
 * @param run of the machine in which it was written, as {@link MachineRun} tells it
 */
record SegmentHeader(long disk, long number, long position, long run) {
  static final int BYTES = 48;

  private static final byte[] MARK = "CANOPYWL".getBytes(StandardCharsets.US_ASCII);
  private static final int FORM = 1;

  byte[] toBytes() {
    byte[] fields =
        new ByteWriter(BYTES)
            .writeRaw(MARK)
            .writeInt(FORM)
            .writeLong(disk)
            .writeLong(number)
            .writeLong(position)
            .writeLong(run)
            .toBytes();
    return new ByteWriter(BYTES).writeRaw(fields).writeInt(crc(fields, fields.length)).toBytes();
  }

  /**
   * The header of a segment's first bytes; null: they are damaged, or were never written.
   *
   * @param bytes exactly {@value #BYTES}
   * @throws MalformedBytesException they were written by another release
   */
  static @Nullable SegmentHeader of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes, MARK.length, BYTES);
    int end = BYTES - Integer.BYTES;
    if (!Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length)
        || new ByteReader(bytes, end, BYTES).readInt() != crc(bytes, end)) {
      return null;
    }
    int form = in.readInt();
    if (form != FORM) {
      throw new MalformedBytesException(
          "a log of form " + form + ", and this release reads form " + FORM);
    }
    return new SegmentHeader(in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
