package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.protocol.ProtocolNode;

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
   * Returns where no cut that a node knows can have taken what a clock has seen. Any thread.
   *
   * @throws CommitsLostException otherwise
   */
  public static void requireKept(ProtocolNode node, VectorClock clock) {
    Cut cut = node.lostBy(clock);
    if (cut != null) {
      throw new CommitsLostException(
          "a power cut has taken commits that the clock may have seen: the grid was founded without"
              + " them, in topology "
              + cut.topology(),
          node.epochStart(cut.topology()));
    }
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
