package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.wire.ProtocolLevel;

/**
 * The level of the grid ({@link ProtocolLevel}) as one node knows it. Thread-safe.
 *
 * <p>A node without any knowledge of a grid takes its own release's level for that of the grid: it
 * founds one with it. It learns another one from the member that lets it join, from its disk, and
 * from then on from {@link io.canopygrid.gmu.LevelEntry}.
 */
public final class GridLevel {
  private volatile Known known = new Known(ProtocolLevel.highest(), ProtocolLevel.highest(), false);

  /** One object, so that nobody sees the one without the others. */
  private record Known(int level, int joined, boolean certain) {}

  /** The lowest level that this release speaks. */
  public static int lowest() {
    return ProtocolLevel.lowest();
  }

  /** The highest level that this release speaks. */
  public static int highest() {
    return ProtocolLevel.highest();
  }

  /** The level at which this node writes messages. */
  public int level() {
    return known.level;
  }

  /**
   * Whether all nodes of the grid speak a level for certain. It stays so, while {@link #level} may
   * sink when a node learns what its grid says.
   */
  public boolean isAtLeast(int level) {
    Known now = known;
    return now.certain && now.level >= level;
  }

  /**
   * The level that a node must speak to join: above {@link #level} while the grid is raised to it.
   */
  public int joined() {
    return known.joined;
  }

  /**
   * The grid is at this level. Does nothing where this release does not speak both.
   *
   * @param joined that a node must speak to join
   */
  public void is(int level, int joined) {
    set(level, joined, known.certain);
  }

  /** As {@link #is}, by the grid's own word: from then on the level does not sink any more. */
  public void isCertainly(int level, int joined) {
    set(level, joined, true);
  }

  private void set(int level, int joined, boolean certain) {
    if (ProtocolLevel.isSpoken(level) && ProtocolLevel.isSpoken(joined)) {
      known = new Known(level, joined, certain);
    }
  }
}
