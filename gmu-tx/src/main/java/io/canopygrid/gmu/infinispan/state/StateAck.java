package io.canopygrid.gmu.infinispan.state;

import io.canopygrid.gmu.infinispan.transport.HostMessages;
import io.canopygrid.gmu.message.Message;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Says that a learner has taken in a chunk of a shard's state, so that the next chunk may come
 * ({@link StateFlow}).
 *
 * @param topology names the chunk, together with the other components
 */
public record StateAck(long topology, int shard, long request, int chunk) {
  private static final byte TAKEN = 66;
  private static final int BYTES = 2 + 2 * Long.BYTES + 2 * Integer.BYTES;

  /** The acknowledgement of a chunk. */
  public static StateAck of(Message.State chunk) {
    return new StateAck(chunk.topology(), chunk.shard(), chunk.request(), chunk.chunk());
  }

  /** The bytes of the acknowledgement. */
  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(HostMessages.MARK)
        .put(TAKEN)
        .putLong(topology)
        .putInt(shard)
        .putLong(request)
        .putInt(chunk)
        .array();
  }

  /** The acknowledgement, null where the bytes are something else. */
  public static @Nullable StateAck decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != HostMessages.MARK || bytes[offset + 1] != TAKEN) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 2, length - 2);
    return new StateAck(in.getLong(), in.getInt(), in.getLong(), in.getInt());
  }
}
