package io.canopygrid.gmu.node;

import io.canopygrid.gmu.HoldingTransaction;
import java.util.List;

/**
 * The past that a node keeps in memory, and what of it at this node keeps it. Named snapshots,
 * states of the past and clones are kept by the grid, and are in TOP.
 *
 * @param versions beyond the newest one of each key
 * @param logged entries of the logs of commits
 * @param horizonNanos how long ago the present was what the horizon is now: younger states are kept
 * @param open the oldest of the transactions that began here, oldest first
 * @param undoneCommits that are prepared or decided here and not done
 * @param undoneNanos how old the state is that those keep
 * @param unforcedNanos how old the state is that a disk which is not forced keeps
 */
public record HeldVersions(
    long versions,
    long logged,
    long horizonNanos,
    List<HoldingTransaction> open,
    int undoneCommits,
    long undoneNanos,
    long unforcedNanos) {
  /** Of a node that keeps nothing. */
  public static final HeldVersions NONE = new HeldVersions(0, 0, 0, List.of(), 0, 0, 0);

  /** Copies the list. */
  public HeldVersions {
    open = List.copyOf(open);
  }
}
