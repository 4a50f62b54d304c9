package io.canopygrid.gmu.node;

/**
 * A transaction was to begin with a clock that may have seen commits which a power cut has taken
 * (protocol.md, Cuts). Nothing has begun. A session that has such a clock has to go on without it.
 */
public final class CommitsLostException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final long upTo;

  /**
   * An error for whoever has the clock.
   *
   * @param upTo see {@link #upTo}
   */
  public CommitsLostException(String message, long upTo) {
    super(message);
    this.upTo = upTo;
  }

  /**
   * The numbers of all shards up to this one are from before the grid was founded anew. Every
   * transaction sees what was kept of them, so that a clock can do without them; the numbers above
   * are of this grid.
   */
  public long upTo() {
    return upTo;
  }
}
