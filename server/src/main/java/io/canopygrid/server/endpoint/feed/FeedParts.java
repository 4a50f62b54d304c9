package io.canopygrid.server.endpoint.feed;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.FeedCommitBytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A group of transactions on its way to a client, part by part: each is at most so many bytes, so a
 * transaction may be cut in several pieces. Confined to one thread at a time.
 */
final class FeedParts {
  private static final byte[] NOTHING = {};

  private final VectorClock after;
  private final Deque<FeedCommit> left;

  /** The transaction that was cut, and how much of it has been taken. */
  private byte[] cut = NOTHING;

  private int cutAt;
  private int taken;

  /** A group of the transactions after a clock. */
  FeedParts(VectorClock after, List<FeedCommit> commits) {
    this.after = after;
    this.left = new ArrayDeque<>(commits);
  }

  /**
   * A part.
   *
   * @param continued whether the first piece goes on with the last transaction of the part before
   */
  record Part(boolean continued, List<byte[]> pieces) {}

  /** Whether the client that asks is the one that has all parts that were taken so far. */
  boolean isAwaitedBy(VectorClock clock, int parts) {
    return parts == taken && clock.equals(after);
  }

  /** Takes the next part, which has so many bytes at most. */
  Part next(int bytesMax) {
    boolean continued = cutAt < cut.length;
    List<byte[]> pieces = new ArrayList<>();
    int room = bytesMax;
    while (room > 0 && !isOver()) {
      if (cutAt == cut.length) {
        cut = FeedCommitBytes.encode(left.remove());
        cutAt = 0;
      }
      int end = cutAt + Math.min(room, cut.length - cutAt);
      pieces.add(Arrays.copyOfRange(cut, cutAt, end));
      room -= end - cutAt;
      cutAt = end;
    }
    if (cutAt == cut.length) {
      cut = NOTHING;
      cutAt = 0;
    }
    taken++;
    return new Part(continued, pieces);
  }

  /** Whether all parts were taken. */
  boolean isOver() {
    return cutAt == cut.length && left.isEmpty();
  }

  /** About how many bytes are left. */
  long bytesLeft() {
    return cut.length + left.stream().mapToLong(FeedCommitBytes::size).sum();
  }
}
