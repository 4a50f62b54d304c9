package io.canopygrid.gmu.infinispan;

import io.canopygrid.Durability;
import io.canopygrid.gmu.infinispan.transport.HostMessages;
import io.canopygrid.gmu.wire.ProtocolLevel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message between two hosts when a node joins or leaves. Its bytes are the same at every level.
 *
 * @param level that a node must speak to join the sender's grid
 * @param shards of the sender's settings
 * @param owners of the sender's settings
 * @param durability where the sender keeps its data; null: in memory only
 * @param grid the grid that the sender's disk is of; null: none, or it is not known yet
 */
record HandshakeMessage(
    Kind kind,
    int level,
    int shards,
    int owners,
    @Nullable Durability durability,
    @Nullable UUID grid) {
  /** The kinds of messages. */
  enum Kind {
    /** A node that wants to join asks what the grid is like, to find out first whether it fits. */
    JOIN_QUERY,
    /** A member answers with the grid's settings. The node that asked compares them. */
    GRID_SETTINGS,
    /** A node that has left the cache asks whether a member can do without it. */
    LEAVE_QUERY,
    /** The member can. A member that cannot yet, and to which nothing comes, does not answer. */
    LEAVE_CONSENT,
    /** A node that is no member yet answers a node that wants to join. */
    JOINING,
    /** The member cannot yet, and copies of shards come to it. */
    LEAVE_WAIT
  }

  /** A kind's byte is its place here. */
  private static final List<Kind> KINDS =
      List.of(
          Kind.JOIN_QUERY,
          Kind.GRID_SETTINGS,
          Kind.LEAVE_QUERY,
          Kind.LEAVE_CONSENT,
          Kind.JOINING,
          Kind.LEAVE_WAIT);

  private static final int BYTES = 2 + 3 * Integer.BYTES + 1 + 2 * Long.BYTES;

  /** The byte of one is its place here, counted from 1; 0 is none. */
  private static final List<Durability> DURABILITIES = List.of(Durability.ASYNC, Durability.FSYNC);

  private static final UUID NO_GRID = new UUID(0, 0);

  static HandshakeMessage of(Kind kind, int level, GridSettings settings, @Nullable NodeDisk disk) {
    return new HandshakeMessage(
        kind, level, settings.shards(), settings.owners(), durabilityOf(disk), gridOf(disk));
  }

  private static @Nullable Durability durabilityOf(@Nullable NodeDisk disk) {
    return disk == null ? null : disk.storage().durability();
  }

  private static @Nullable UUID gridOf(@Nullable NodeDisk disk) {
    return disk == null ? null : disk.grid();
  }

  byte[] encode() {
    UUID known = grid == null ? NO_GRID : grid;
    return ByteBuffer.allocate(BYTES)
        .put(HostMessages.MARK)
        .put((byte) KINDS.indexOf(kind))
        .putInt(level)
        .putInt(shards)
        .putInt(owners)
        .put((byte) (durability == null ? 0 : 1 + DURABILITIES.indexOf(durability)))
        .putLong(known.getMostSignificantBits())
        .putLong(known.getLeastSignificantBits())
        .array();
  }

  /** The message; null where the bytes are something else. */
  static @Nullable HandshakeMessage decode(byte[] bytes, int offset, int length) {
    if (length != BYTES || bytes[offset] != HostMessages.MARK) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, offset + 1, length - 1);
    int kind = in.get();
    if (kind < 0 || kind >= KINDS.size()) {
      return null;
    }
    int level = in.getInt();
    int shards = in.getInt();
    int owners = in.getInt();
    int durability = in.get();
    UUID grid = new UUID(in.getLong(), in.getLong());
    if (durability < 0 || durability > DURABILITIES.size()) {
      return null;
    }
    return new HandshakeMessage(
        KINDS.get(kind),
        level,
        shards,
        owners,
        durability == 0 ? null : DURABILITIES.get(durability - 1),
        grid.equals(NO_GRID) ? null : grid);
  }

  /** Whether the sender is of a release that is too new for this one. */
  boolean isOfLaterRelease() {
    return level > ProtocolLevel.highest();
  }

  /** Why a node with these settings does not fit to the sender; null: it does. */
  @Nullable String misfit(GridSettings settings, @Nullable NodeDisk disk) {
    if (!ProtocolLevel.isSpoken(level)) {
      return String.format(
          Locale.ROOT,
          "grid '%s' is at level %d, and this release speaks levels %d to %d: start %s",
          settings.name(),
          level,
          ProtocolLevel.lowest(),
          ProtocolLevel.highest(),
          isOfLaterRelease()
              ? "the release that the other nodes run"
              : "a release before this one, and finalize the upgrade to that first");
    }
    String misfit = misfit(settings, shards, owners);
    return misfit == null ? misfit(settings.name(), disk) : misfit;
  }

  /** Whether the sender keeps its data elsewhere than a node with this disk. */
  boolean isStoredElsewhere(@Nullable NodeDisk disk) {
    return durability != durabilityOf(disk);
  }

  private @Nullable String misfit(String name, @Nullable NodeDisk disk) {
    if (isStoredElsewhere(disk)) {
      return String.format(
          Locale.ROOT,
          "grid '%s' keeps its data %s, this node is set to keep it %s: all nodes do the same",
          name,
          inWords(durability),
          inWords(durabilityOf(disk)));
    }
    UUID known = gridOf(disk);
    if (grid == null || known == null || grid.equals(known)) {
      return null;
    }
    return String.format(
        Locale.ROOT,
        "the data directory of this node is of grid %s, and the nodes of grid '%s' that it has"
            + " found are of grid %s: name another directory, or other nodes",
        known,
        name,
        grid);
  }

  private static String inWords(@Nullable Durability durability) {
    return durability == null
        ? "in memory"
        : "on disk, " + durability.name().toLowerCase(Locale.ROOT);
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
