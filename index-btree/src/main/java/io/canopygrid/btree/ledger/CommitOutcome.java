package io.canopygrid.btree.ledger;

import io.canopygrid.CommitState;
import io.canopygrid.clock.VectorClock;

/**
 * The outcome of a commit that has a name.
 *
 * @param state NOT_COMMITTED: and it never will be. UNKNOWN: it cannot be told now
 * @param seen where it is committed: the clock that a reader needs to see it
 * @param result the result kept with the commit; empty: none
 */
public record CommitOutcome(CommitState state, VectorClock seen, byte[] result) {
  /** The outcome that cannot be told. */
  static final CommitOutcome UNKNOWN = without(CommitState.UNKNOWN);

  /** An outcome without a result. */
  static CommitOutcome without(CommitState state) {
    return new CommitOutcome(state, VectorClock.ZERO, new byte[0]);
  }
}
