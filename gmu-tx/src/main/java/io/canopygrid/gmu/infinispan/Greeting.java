package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.wire.MessageCodec;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself before it joins, and a member answers, so that one that does not fit is
 * refused before it can disturb the grid. Its bytes are the same in every protocol version.
 *
 * @param asks whether an answer is wanted
 * @param version of the protocol
 */
record Greeting(boolean asks, int version, int shards, int owners) {
  /** No protocol version: what distinguishes a greeting from a message. */
  private static final byte MARK = 0;

  private static final int BYTES = 2 + 3 * Integer.BYTES;

  static Greeting of(GridSettings settings, boolean asks) {
    return new Greeting(
        asks, MessageCodec.PROTOCOL_VERSION, settings.shards(), settings.owners());
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(MARK)
        .put((byte) (asks ? 1 : 0))
        .putInt(version)
        .putInt(shards)
        .putInt(owners)
        .array();
  }

  /** The greeting, null where the bytes are something else. */
  static @Nullable Greeting decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != MARK) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 1, length - 1);
    return new Greeting(in.get() == 1, in.getInt(), in.getInt(), in.getInt());
  }

  /** Why a node with these settings does not fit to the one that greeted; null: it does. */
  @Nullable String misfit(GridSettings settings) {
    if (version != MessageCodec.PROTOCOL_VERSION) {
      return "grid '%s' speaks protocol version %d, this node %d: use the same release"
          .formatted(settings.name(), version, MessageCodec.PROTOCOL_VERSION);
    }
    return misfit(settings, shards, owners);
  }

  /** The same for a grid of which only the placement is known. */
  static @Nullable String misfit(GridSettings settings, int shards, int owners) {
    if (shards == settings.shards() && owners == settings.owners()) {
      return null;
    }
    return "grid '%s' has %d shards and %d owners, this node is set to %d shards and %d owners"
        .formatted(settings.name(), shards, owners, settings.shards(), settings.owners());
  }
}
