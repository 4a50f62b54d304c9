package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.wire.MessageCodec;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What two nodes say to each other when one comes or goes. Its bytes are the same in every protocol
 * version.
 *
 * @param version of the sender's protocol
 */
record Greeting(Kind kind, int version, int shards, int owners) {
  /** The four of them. */
  enum Kind {
    /**
     * Who wants to join asks what the grid is like, so as not to disturb it where it cannot fit.
     */
    MAY_I_JOIN,
    /**
     * A member answers; it is the grid's settings that count, not what it thinks of the other's.
     */
    WE_ARE,
    /** Who has left the cache asks whether the others can do without it. */
    MAY_I_GO,
    /** They can. No answer: not yet. */
    GO
  }

  private static final List<Kind> KINDS =
      List.of(Kind.MAY_I_JOIN, Kind.WE_ARE, Kind.MAY_I_GO, Kind.GO);

  /**
   * No protocol version: what distinguishes from a message all that hosts say to each other. What
   * is no greeting goes on with a byte of its own.
   */
  static final byte MARK = 0;

  private static final int BYTES = 2 + 3 * Integer.BYTES;

  static Greeting of(Kind kind, GridSettings settings) {
    return new Greeting(kind, MessageCodec.PROTOCOL_VERSION, settings.shards(), settings.owners());
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(MARK)
        .put((byte) KINDS.indexOf(kind))
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
    int kind = in.get();
    return kind < 0 || kind >= KINDS.size()
        ? null
        : new Greeting(KINDS.get(kind), in.getInt(), in.getInt(), in.getInt());
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
