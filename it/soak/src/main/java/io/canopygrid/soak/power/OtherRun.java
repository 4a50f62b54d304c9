package io.canopygrid.soak.power;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A machine that has lost its power begins another run, by which a node knows that its disk may
 * lack what was not forced. As this machine goes on, the segments of the node's log are made to say
 * that they were written in a run before: that is a field of their header, which ends with a CRC32C
 * (docs/internals/storage.md).
 */
final class OtherRun {
  private static final byte[] MARK = "CANOPYWL".getBytes(StandardCharsets.US_ASCII);
  private static final int RUN_AT = 36;
  private static final int CRC_AT = 44;
  private static final int HEADER = 48;

  /** No machine's: the number of a run is as random as a UUID. */
  private static final long BEFORE = 1;

  private OtherRun() {}

  /** Writes it into a file, if that is a segment whose header is whole. */
  static void into(Path file) throws IOException {
    byte[] header = new byte[HEADER];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      boolean isSegment = channel.read(ByteBuffer.wrap(header), 0) == HEADER && isWhole(header);
      if (isSegment) {
        ByteBuffer fields = ByteBuffer.wrap(header).putLong(RUN_AT, BEFORE);
        channel.write(fields.putInt(CRC_AT, crc(header)), 0);
      }
    }
  }

  private static boolean isWhole(byte[] header) {
    return Arrays.equals(header, 0, MARK.length, MARK, 0, MARK.length)
        && ByteBuffer.wrap(header).getInt(CRC_AT) == crc(header);
  }

  private static int crc(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CRC_AT);
    return (int) crc.getValue();
  }
}
