package io.canopygrid.gmu.wire;

/**
 * The levels that this release speaks. A level is the number of a set of forms: those of messages
 * between nodes, and of what nodes write for each other. A release speaks its own level and the one
 * before, so that the nodes of a grid can be replaced one after the other (docs/protocol.md,
 * Levels). A message says in its first byte of which level it is.
 *
 * <p>A new level is needed where the bytes of a message or of an entry change. Version 2 had
 * headers of subtrees that were dropped with their index, version 3 clocks as what differs from the
 * one before, version 5 cuts in flushes. With level 6 nodes say which levels they speak, and level
 * 7 has clones in the catalog; their messages are those of level 5. Level 8 has hot entries. With
 * level 9 a read names only those components of its clock that the answer depends on, and headers
 * of subtrees have locks of prepared transactions.
 */
public final class ProtocolLevel {
  private static final int LOWEST = 8;
  private static final int HIGHEST = 9;

  private ProtocolLevel() {}

  /**
   * The lowest level that this release speaks. A method, since a constant is copied into every
   * class that is compiled with it.
   */
  public static int lowest() {
    return LOWEST;
  }

  /** The highest level that this release speaks: its own. */
  public static int highest() {
    return HIGHEST;
  }

  /** Whether this release speaks a level. */
  public static boolean isSpoken(int level) {
    return level >= LOWEST && level <= HIGHEST;
  }
}
