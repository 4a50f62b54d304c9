package io.canopygrid.btree.simulation;

import io.canopygrid.btree.control.BalancePolicy;
import io.canopygrid.btree.control.GridLoad;
import io.canopygrid.btree.control.PlacedSubtree;
import io.canopygrid.btree.control.PlannedChange;
import java.util.List;

/** A policy that decides something else than it should. */
abstract class AlteredPolicy implements BalancePolicy {
  private final BalancePolicy real;

  AlteredPolicy(BalancePolicy real) {
    this.real = real;
  }

  /** The changes that are made instead of those that the real policy has decided. */
  abstract List<PlannedChange> instead(GridLoad grid, List<PlannedChange> changes);

  @Override
  public List<PlannedChange> decide(GridLoad grid) {
    return instead(grid, real.decide(grid));
  }

  @Override
  public void reset() {
    real.reset();
  }

  /** The first subtree that has a right neighbour goes there. */
  static List<PlannedChange> mergeOfFirst(GridLoad grid) {
    for (PlacedSubtree subtree : grid.subtrees()) {
      if (subtree.high() != null) {
        return List.of(
            new PlannedChange.Merge(subtree, false, subtree.entries(), PlannedChange.Reason.MANY));
      }
    }
    return List.of();
  }
}
