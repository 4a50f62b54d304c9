package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.infinispan.transport.HostMessages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message by which members take turns to leave ({@link LeaveTurns}).
 *
 * @param asks whether the sender wants to leave next; otherwise it lets the receiver leave
 * @param round of the node that asks; the consent repeats it
 */
record LeaveTurn(boolean asks, int round) {
  private static final byte ASKS = 70;
  private static final byte CONSENTS = 71;
  private static final int BYTES = 2 + Integer.BYTES;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(HostMessages.MARK)
        .put(asks ? ASKS : CONSENTS)
        .putInt(round)
        .array();
  }

  /** The message; null where the bytes are something else. */
  static @Nullable LeaveTurn decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != HostMessages.MARK) {
      return null;
    }
    byte kind = bytes[offset + 1];
    if (kind != ASKS && kind != CONSENTS) {
      return null;
    }
    return new LeaveTurn(kind == ASKS, ByteBuffer.wrap(bytes, offset + 2, length - 2).getInt());
  }
}
