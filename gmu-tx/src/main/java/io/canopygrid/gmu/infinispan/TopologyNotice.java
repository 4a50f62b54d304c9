package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Topology;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A member says which topology it was given last ({@link RollCall}).
 *
 * @param asks whether it wants to know the same of the other
 * @param topology its id
 * @param digest of all that is in it: two sides of a cut may use one id for different ones
 */
record TopologyNotice(boolean asks, long topology, int digest) {
  private static final byte TELLS = 64;
  private static final byte ASKS = 65;
  private static final int BYTES = 2 + Long.BYTES + Integer.BYTES;

  static TopologyNotice of(Topology topology, boolean asks) {
    return new TopologyNotice(asks, topology.id(), topology.hashCode());
  }

  /** The answer to this one that says the same. */
  TopologyNotice echo() {
    return new TopologyNotice(false, topology, digest);
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(Greeting.MARK)
        .put(asks ? ASKS : TELLS)
        .putLong(topology)
        .putInt(digest)
        .array();
  }

  /** The notice, null where the bytes are something else. */
  static @Nullable TopologyNotice decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != Greeting.MARK) {
      return null;
    }
    byte kind = bytes[offset + 1];
    if (kind != TELLS && kind != ASKS) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 2, length - 2);
    return new TopologyNotice(kind == ASKS, in.getLong(), in.getInt());
  }
}
