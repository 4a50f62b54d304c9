package io.canopygrid.gmu.storage.directory;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Bytes with their checksum before them. */
final class SealedBytes {
  private SealedBytes() {}

  static byte[] sealed(byte[] content) {
    return ByteBuffer.allocate(Long.BYTES + content.length)
        .putLong(checksum(content))
        .put(content)
        .array();
  }

  /** The content; null: the bytes are damaged. */
  static byte @Nullable [] opened(byte[] sealed) {
    if (sealed.length < Long.BYTES) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(sealed);
    long checksum = in.getLong();
    byte[] content = new byte[in.remaining()];
    in.get(content);
    return checksum(content) == checksum ? content : null;
  }

  private static long checksum(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return checksum.getValue();
  }
}
