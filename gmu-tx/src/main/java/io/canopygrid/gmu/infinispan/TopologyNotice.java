package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.transport.HostMessages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Says which topology a member was given last ({@link TopologyAgreement}).
 *
 * @param asks whether the sender wants to know the same of the receiver
 * @param topology the topology's id
 * @param digest of all that is in it: two sides of a cut may use one id for different topologies
 */
record TopologyNotice(boolean asks, long topology, int digest) {
  private static final byte TELLS = 64;
  private static final byte ASKS = 65;
  private static final int BYTES = 2 + Long.BYTES + Integer.BYTES;

  static TopologyNotice of(Topology topology, boolean asks) {
    return new TopologyNotice(asks, topology.id(), topology.hashCode());
  }

  /** The answer that says the same. */
  TopologyNotice echo() {
    return new TopologyNotice(false, topology, digest);
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(HostMessages.MARK)
        .put(asks ? ASKS : TELLS)
        .putLong(topology)
        .putInt(digest)
        .array();
  }

  /** The notice; null where the bytes are something else. */
  static @Nullable TopologyNotice decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != HostMessages.MARK) {
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
