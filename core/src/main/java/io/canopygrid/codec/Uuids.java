package io.canopygrid.codec;

import java.nio.ByteBuffer;
import java.util.UUID;

/** UUIDs as their sixteen bytes, in the order of their text. */
public final class Uuids {
  private Uuids() {}

  /** Sixteen bytes. */
  public static byte[] encode(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  /** The UUID of sixteen bytes. */
  public static UUID decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(Integers.requireLength(bytes, 16));
    return new UUID(in.getLong(), in.getLong());
  }
}
