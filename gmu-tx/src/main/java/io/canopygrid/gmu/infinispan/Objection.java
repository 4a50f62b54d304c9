package io.canopygrid.gmu.infinispan;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A member refuses a topology, since by what it has agreed to before the receiver lacks what that
 * one says it has ({@link Lineage}).
 *
 * @param topology which it refuses
 * @param standing what it stands by, the higher the later ({@link Lineage#rank})
 */
record Objection(long topology, long standing) {
  private static final byte KIND = 67;
  private static final int BYTES = 2 + 2 * Long.BYTES;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(Greeting.MARK)
        .put(KIND)
        .putLong(topology)
        .putLong(standing)
        .array();
  }

  /** The objection, null where the bytes are something else. */
  static @Nullable Objection decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != Greeting.MARK || bytes[offset + 1] != KIND) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 2, length - 2);
    return new Objection(in.getLong(), in.getLong());
  }
}
