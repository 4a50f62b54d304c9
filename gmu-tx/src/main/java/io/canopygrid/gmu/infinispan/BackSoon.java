package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.infinispan.transport.HostMessages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message of {@link PlannedStops}.
 *
 * @param tells whether the sender stops and will be back; otherwise it has heard that the receiver
 *     does
 * @param graceMillis for how long its shards are not to go to others; at least 0
 */
record BackSoon(boolean tells, long graceMillis) {
  private static final byte TELLS = 72;
  private static final byte HEARD = 73;
  private static final int BYTES = 2 + Long.BYTES;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(HostMessages.MARK)
        .put(tells ? TELLS : HEARD)
        .putLong(graceMillis)
        .array();
  }

  /** The message; null where the bytes are something else. */
  static @Nullable BackSoon decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != HostMessages.MARK) {
      return null;
    }
    byte kind = bytes[offset + 1];
    long millis = ByteBuffer.wrap(bytes, offset + 2, length - 2).getLong();
    return (kind == TELLS || kind == HEARD) && millis >= 0
        ? new BackSoon(kind == TELLS, millis)
        : null;
  }
}
