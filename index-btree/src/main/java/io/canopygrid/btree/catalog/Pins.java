package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.GmuTransaction;

/** Clocks that are kept in TOP: those of named snapshots, and of states of the past. */
final class Pins {
  private static final String LABEL = "canopy.snapshot";

  private Pins() {}

  /** False: another transaction came between. */
  static boolean commit(GmuTransaction transaction, Footprint footprint) {
    Outcome outcome = transaction.commit(footprint, LABEL);
    if (outcome instanceof Outcome.Aborted aborted) {
      if (aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
        throw new CanopyException(ErrorCode.SHARD_UNAVAILABLE, "the snapshots cannot be reached");
      }
      return false;
    }
    if (outcome instanceof Outcome.Unknown) {
      throw new CanopyException(
          ErrorCode.COMMIT_UNKNOWN,
          "the cluster did not tell the outcome",
          CommitState.UNKNOWN,
          null,
          null);
    }
    return true;
  }
}
