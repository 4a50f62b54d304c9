package io.canopygrid.gmu.storage.directory;

import io.canopygrid.Durability;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a label: the same block twice. A block is a mark, the format's number, the fields,
 * and the CRC32C of all that. Every format keeps to the mark, the number behind it, the CRC at the
 * end, and the two blocks; so each release recognises the others' labels.
 */
final class LabelBytes {
  /**
   * The format that this release writes; all that is below the directory belongs to it. Format 2:
   * the directory has a write-ahead log beside the engine. Format 3: there are watermarks and
   * copies that are gone on with, which a release that writes format 2 does not know. Format 4:
   * there are cuts, and facts on power cuts.
   */
  static final int FORMAT = 4;

  /** The oldest format that this release reads. */
  private static final int FORMAT_MIN = 2;

  private static final byte[] MARK = "CANOPY\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT_END = MARK.length + Integer.BYTES;

  /** A durability's number is its place here. */
  private static final List<Durability> DURABILITIES = List.of(Durability.ASYNC, Durability.FSYNC);

  private LabelBytes() {}

  /**
   * A block that was read.
   *
   * @param format of the block
   * @param label null: of another format
   */
  record Block(int format, @Nullable DiskLabel label) {}

  /**
   * A file that was read.
   *
   * @param block null: both are damaged
   * @param isWhole whether both blocks are there
   */
  record Content(@Nullable Block block, boolean isWhole) {
    /** Whether a node that opens the directory has to write the file anew. */
    boolean isToBeWritten() {
      return !isWhole || block == null || block.format() != FORMAT;
    }
  }

  static byte[] encode(DiskLabel label) {
    byte[] block = encodeBlock(label);
    byte[] bytes = Arrays.copyOf(block, 2 * block.length);
    System.arraycopy(block, 0, bytes, block.length, block.length);
    return bytes;
  }

  private static byte[] encodeBlock(DiskLabel label) {
    UUID grid = label.grid();
    ByteWriter out = new ByteWriter(64);
    out.writeRaw(MARK).writeInt(FORMAT).writeLong(label.disk().value());
    out.writeByte(grid == null ? 0 : 1)
        .writeLong(grid == null ? 0 : grid.getMostSignificantBits())
        .writeLong(grid == null ? 0 : grid.getLeastSignificantBits());
    out.writeInt(label.shards())
        .writeByte(DURABILITIES.indexOf(label.durability()))
        .writeLong(label.newestLog());
    byte[] fields = out.toBytes();
    return out.writeInt(crc(fields, 0, fields.length)).toBytes();
  }

  static Content decode(byte[] bytes) {
    int half = bytes.length / 2;
    Block first = decodeBlock(bytes, 0, half);
    Block second = decodeBlock(bytes, half, bytes.length);
    return new Content(
        first != null ? first : second,
        first != null && second != null && first.equals(second) && bytes.length % 2 == 0);
  }

  /** The block; null: it is damaged. */
  private static @Nullable Block decodeBlock(byte[] bytes, int from, int to) {
    int end = to - Integer.BYTES;
    if (end - from < FORMAT_END
        || !Arrays.equals(bytes, from, from + MARK.length, MARK, 0, MARK.length)
        || new ByteReader(bytes, end, to).readInt() != crc(bytes, from, end)) {
      return null;
    }
    int format = new ByteReader(bytes, from + MARK.length, end).readInt();
    if (format < FORMAT_MIN || format > FORMAT) {
      return new Block(format, null);
    }
    try {
      return new Block(format, decodeFields(new ByteReader(bytes, from + FORMAT_END, end)));
    } catch (MalformedBytesException e) {
      return null;
    }
  }

  private static DiskLabel decodeFields(ByteReader in) {
    DiskId disk = new DiskId(in.readLong());
    boolean hasGrid = in.readByte() == 1;
    UUID grid = new UUID(in.readLong(), in.readLong());
    int shards = in.readInt();
    int durability = in.readByte();
    long newestLog = in.readLong();
    in.end();
    if (disk.value() == 0 || shards < 1 || newestLog < 0 || durability >= DURABILITIES.size()) {
      throw new MalformedBytesException("no label");
    }
    return new DiskLabel(
        disk, hasGrid ? grid : null, shards, DURABILITIES.get(durability), newestLog);
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
