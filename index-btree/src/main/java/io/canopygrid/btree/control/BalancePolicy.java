package io.canopygrid.btree.control;

import java.util.List;

/** Decides how the structure should change. Confined to one thread. */
public interface BalancePolicy {
  /** The next steps, in this order; none where all is as it should be. */
  List<PlannedChange> decide(GridLoad grid);

  /** Forgets what earlier decisions have begun. */
  void reset();
}
