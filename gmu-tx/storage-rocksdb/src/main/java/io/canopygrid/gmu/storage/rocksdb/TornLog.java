package io.canopygrid.gmu.storage.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The log of the engine's files, whose end a power cut may have torn: parts of its last record were
 * never written, and the file has zeros or anything else there. The engine itself takes only a log
 * that is too short for torn. It refuses others as damaged, and reads some of them for ever.
 *
 * <p>A log has blocks of 32 KiB. A record is one or more fragments, none of which crosses the end
 * of a block. A fragment is a checksum of 4 bytes, a length of 2, a type of 1, and the content;
 * numbers have their least significant byte first. Where fewer than 7 bytes of a block are left,
 * they are not used.
 */
final class TornLog {
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;

  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;

  private static final int MASK_SHIFT = 17;
  private static final int MASK_DELTA = 0xa282ead8;

  private final FileChannel file;
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
  private long blockAt = -1;

  private TornLog(FileChannel file) {
    this.file = file;
  }

  /**
   * Cuts off what is behind the last whole record of a log, if no other record begins there, and
   * forces that. Records behind it are forced after it: it was there as a whole, and is damaged.
   * Nothing is cut off a log that does not begin with a whole record.
   *
   * @return false: the log is damaged
   */
  static boolean cutOff(Path path) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      TornLog log = new TornLog(file);
      long end = log.endOfWholeRecords();
      if (end == 0 || end >= file.size()) {
        return true;
      }
      if (log.hasRecordBehind(end)) {
        return false;
      }
      file.truncate(end);
      file.force(true);
      return true;
    }
  }

  private long endOfWholeRecords() throws IOException {
    long end = 0;
    boolean within = false;
    for (long at = 0; isIntact(at); at = behind(at)) {
      int type = type(at);
      if (within != (type == MIDDLE || type == LAST)) {
        break;
      }
      within = type == FIRST || type == MIDDLE;
      if (!within) {
        end = behind(at);
      }
    }
    return end;
  }

  private boolean hasRecordBehind(long end) throws IOException {
    long last = file.size() - HEADER;
    for (long at = end + 1; at <= last; at++) {
      if (begins(at) && isIntact(at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a record may begin there, which is quick to see. */
  private boolean begins(long at) throws IOException {
    load(at);
    int from = (int) (at - blockAt);
    return from + HEADER <= block.limit() && (type(at) == FULL || type(at) == FIRST);
  }

  /** Whether a fragment begins there and is as it was written. */
  private boolean isIntact(long at) throws IOException {
    load(at);
    int from = (int) (at - blockAt);
    if (from + HEADER > block.limit()) {
      return false;
    }
    int length = Short.toUnsignedInt(block.getShort(from + 4));
    if (type(at) == 0 || from + HEADER + length > block.limit()) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(block.array(), from + HEADER - 1, 1 + length);
    int value = (int) crc.getValue();
    return block.getInt(from) == Integer.rotateLeft(value, MASK_SHIFT) + MASK_DELTA;
  }

  private int type(long at) {
    return Byte.toUnsignedInt(block.get((int) (at - blockAt) + HEADER - 1));
  }

  /** The place at which the fragment after an intact one begins. */
  private long behind(long at) {
    int from = (int) (at - blockAt);
    int end = from + HEADER + Short.toUnsignedInt(block.getShort(from + 4));
    return end + HEADER > BLOCK ? blockAt + BLOCK : blockAt + end;
  }

  private void load(long at) throws IOException {
    long wanted = at - at % BLOCK;
    if (wanted == blockAt) {
      return;
    }
    blockAt = wanted;
    block.clear();
    int read;
    do {
      read = file.read(block, blockAt + block.position());
    } while (read > 0);
    block.flip();
  }
}
