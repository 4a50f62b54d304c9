package io.canopygrid.engine;

import io.canopygrid.GridId;
import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a transaction.
 *
 * @param mode what it may do
 * @param after what it must see; means nothing where it reads a named snapshot
 * @param deadlineNanos when its time is over, in the engine's {@link Pace}
 * @param label names it in statistics and in the errors of others
 * @param readFrom which copies it reads
 * @param snapshot the named snapshot that it reads, {@link Mode#READ_ONLY}; empty: the present
 * @param grid the grid that {@code after} is of; null: that of the node where it begins
 */
public record Begin(
    Mode mode,
    VectorClock after,
    long deadlineNanos,
    String label,
    ReadFrom readFrom,
    String snapshot,
    @Nullable GridId grid) {
  /** A beginning in whichever grid the node is a member of. */
  public Begin(
      Mode mode,
      VectorClock after,
      long deadlineNanos,
      String label,
      ReadFrom readFrom,
      String snapshot) {
    this(mode, after, deadlineNanos, label, readFrom, snapshot, null);
  }

  /** The same in a grid. */
  public Begin in(@Nullable GridId other) {
    return new Begin(mode, after, deadlineNanos, label, readFrom, snapshot, other);
  }
}
