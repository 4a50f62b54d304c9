package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.infinispan.transport.HostMessages;
import io.canopygrid.gmu.wire.MessageCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A message between two hosts when a node joins or leaves. Its bytes are the same in every protocol
 * version.
 *
 * @param version of the sender's protocol
 * @param shards of the sender's settings
 * @param owners of the sender's settings
 */
record HandshakeMessage(Kind kind, int version, int shards, int owners) {
  /** The kinds of messages. */
  enum Kind {
    /** A node that wants to join asks what the grid is like, to find out first whether it fits. */
    JOIN_QUERY,
    /** A member answers with the grid's settings. The node that asked compares them. */
    GRID_SETTINGS,
    /** A node that has left the cache asks whether a member can do without it. */
    LEAVE_QUERY,
    /** The member can. A member that cannot yet does not answer. */
    LEAVE_CONSENT,
    /** A node that is no member yet answers a node that wants to join. */
    JOINING
  }

  /** A kind's byte is its place here. */
  private static final List<Kind> KINDS =
      List.of(
          Kind.JOIN_QUERY, Kind.GRID_SETTINGS, Kind.LEAVE_QUERY, Kind.LEAVE_CONSENT, Kind.JOINING);

  private static final int BYTES = 2 + 3 * Integer.BYTES;

  static HandshakeMessage of(Kind kind, GridSettings settings) {
    return new HandshakeMessage(kind, MessageCodec.version(), settings.shards(), settings.owners());
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(HostMessages.MARK)
        .put((byte) KINDS.indexOf(kind))
        .putInt(version)
        .putInt(shards)
        .putInt(owners)
        .array();
  }

  /** The message; null where the bytes are something else. */
  static @Nullable HandshakeMessage decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != HostMessages.MARK) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 1, length - 1);
    int kind = in.get();
    return kind < 0 || kind >= KINDS.size()
        ? null
        : new HandshakeMessage(KINDS.get(kind), in.getInt(), in.getInt(), in.getInt());
  }

  /** Whether the sender speaks a later version than this node. */
  boolean isOfLaterRelease() {
    return version > MessageCodec.version();
  }

  /** Why a node with these settings does not fit to the sender; null: it does. */
  @Nullable String misfit(GridSettings settings) {
    if (version != MessageCodec.version()) {
      return String.format(
          Locale.ROOT,
          "grid '%s' speaks protocol version %d, this node %d: all nodes run the same release",
          settings.name(),
          version,
          MessageCodec.version());
    }
    return misfit(settings, shards, owners);
  }

  /** The same for a grid of which only the placement is known. */
  static @Nullable String misfit(GridSettings settings, int shards, int owners) {
    if (shards == settings.shards() && owners == settings.owners()) {
      return null;
    }
    return String.format(
        Locale.ROOT,
        "grid '%s' has %d shards and %d owners, this node is set to %d shards and %d owners",
        settings.name(),
        shards,
        owners,
        settings.shards(),
        settings.owners());
  }
}
