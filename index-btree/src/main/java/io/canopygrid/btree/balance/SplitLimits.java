package io.canopygrid.btree.balance;

/**
 * Bounds of a shift, which a split is.
 *
 * @param movedEntriesMax most entries moved by one shift, at least 1, tombstones included; a
 *     subtree that is still too large afterwards is split again
 * @param movedBytesMax bytes of keys and values after which a shift moves no more, at least 1
 * @param attemptsMax how often each of its transactions is tried, at least 1; then the shift is
 *     undone, and a split tried again when the subtree grows
 * @param timeoutMillis how long each transaction may take, at least 1
 * @param waitingMax most subtrees that wait for a split at one node, at least 1; a subtree that is
 *     too many waits until it grows again
 * @param closeMillis how long a node that leaves waits for the split under way, at least 0
 */
public record SplitLimits(
    int movedEntriesMax,
    long movedBytesMax,
    int attemptsMax,
    long timeoutMillis,
    int waitingMax,
    long closeMillis) {
  /** The limits that a node uses. */
  public static final SplitLimits DEFAULT =
      new SplitLimits(1_000, 4 << 20, 20, 10_000, 10_000, 1_000);
}
