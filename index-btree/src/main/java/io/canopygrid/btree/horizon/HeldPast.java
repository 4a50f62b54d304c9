package io.canopygrid.btree.horizon;

/**
 * A state of the grid that is kept until somebody drops it, or its time is over.
 *
 * @param name of the snapshot or the clone; empty for the states of the past
 * @param ageMillis since that state was the present, by the clocks of nodes
 */
public record HeldPast(Kind kind, String name, long ageMillis) {
  /** The reason for which a state is kept. */
  public enum Kind {
    /** A named snapshot, also that of a backup. */
    SNAPSHOT,
    /** The oldest of the states that the retention of the cluster keeps. */
    RETENTION,
    /** A clone, which shares the entries of that state. */
    CLONE
  }
}
