package io.canopygrid.gmu;

import java.nio.ByteBuffer;

/**
 * The entry of TOP that says at which level the grid is (docs/protocol.md, Levels). A grid without
 * it was founded by a release that knew no levels, and is at {@link #WITHOUT}.
 *
 * @param level of the grid: all its nodes speak it
 * @param joined that a node must speak to join; above the level while the grid is raised to it
 */
public record LevelEntry(int level, int joined) {
  /** The level of a grid without this entry. */
  public static final int WITHOUT = 5;

  /** The only key. */
  public static final CompositeKey KEY = ReservedKcl.LEVEL.key(new byte[] {1});

  private static final byte VERSION = 1;
  private static final int BYTES = 1 + 2 * Integer.BYTES;

  /** A grid at a level, which is not being raised. */
  public static LevelEntry at(int level) {
    return new LevelEntry(level, level);
  }

  /** The entry as it is stored. */
  public byte[] encode() {
    return ByteBuffer.allocate(BYTES).put(VERSION).putInt(level).putInt(joined).array();
  }

  /** The entry with these bytes. */
  public static LevelEntry decode(byte[] bytes) {
    Invariant.holds(
        bytes.length >= BYTES && bytes[0] == VERSION,
        "a level of version %s: %s bytes",
        VERSION,
        bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    return new LevelEntry(in.getInt(), in.getInt());
  }
}
