package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.message.Message;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A joiner has taken in a chunk of a shard's state: the next one may come ({@link StateFlow}).
 *
 * @param topology and the others name the chunk
 */
record StateAck(long topology, int shard, long request, int chunk) {
  private static final byte TAKEN = 66;
  private static final int BYTES = 2 + 2 * Long.BYTES + 2 * Integer.BYTES;

  static StateAck of(Message.State chunk) {
    return new StateAck(chunk.topology(), chunk.shard(), chunk.request(), chunk.chunk());
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(Greeting.MARK)
        .put(TAKEN)
        .putLong(topology)
        .putInt(shard)
        .putLong(request)
        .putInt(chunk)
        .array();
  }

  /** The acknowledgement, null where the bytes are something else. */
  static @Nullable StateAck decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != Greeting.MARK || bytes[offset + 1] != TAKEN) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 2, length - 2);
    return new StateAck(in.getLong(), in.getInt(), in.getLong(), in.getInt());
  }
}
