package io.canopygrid.engine;

import io.canopygrid.GridId;
import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a transaction. The clock of its session and the caller's token are told apart:
 * joined, the newer numbers of one would hide that a power cut has taken what the other names.
 *
 * @param mode what it may do
 * @param seen the clock of all that its session has seen
 * @param token what it must see, too, by the caller's word
 * @param deadlineNanos when its time is over, in the engine's {@link Pace}
 * @param label names it in statistics and in the errors of others
 * @param readFrom which copies it reads
 * @param snapshot the named snapshot that it reads, {@link Mode#READ_ONLY}; empty: the present
 * @param grid the grid that both are of; null: that of the node where it begins
 * @param traceParent the place in a trace of the W3C to which servers' spans of it belong; empty:
 *     none
 */
public record Begin(
    Mode mode,
    VectorClock seen,
    VectorClock token,
    long deadlineNanos,
    String label,
    ReadFrom readFrom,
    String snapshot,
    @Nullable GridId grid,
    String traceParent) {
  /** A beginning in whichever grid the node is a member of. */
  public Begin(
      Mode mode,
      VectorClock seen,
      long deadlineNanos,
      String label,
      ReadFrom readFrom,
      String snapshot) {
    this(mode, seen, VectorClock.ZERO, deadlineNanos, label, readFrom, snapshot, null, "");
  }

  /** All that it must see; means nothing where it reads a named snapshot. */
  public VectorClock after() {
    return seen.join(token);
  }

  /** The same in a grid. */
  public Begin in(@Nullable GridId other) {
    return new Begin(
        mode, seen, token, deadlineNanos, label, readFrom, snapshot, other, traceParent);
  }

  /** The same within a trace. */
  public Begin tracedBy(String parent) {
    return new Begin(mode, seen, token, deadlineNanos, label, readFrom, snapshot, grid, parent);
  }
}
