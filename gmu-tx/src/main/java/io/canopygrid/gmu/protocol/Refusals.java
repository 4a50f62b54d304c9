package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.message.Message.Refusal;

/** The refusals that are not due to another transaction. */
final class Refusals {
  static final Refusal TOPOLOGY_CHANGED = of(AbortReason.TOPOLOGY_CHANGED);

  /** The caller waits no longer. */
  static final Refusal GIVEN_UP = of(AbortReason.LOCK_TIMEOUT);

  /** The transaction has run for too long. */
  static final Refusal TOO_OLD = of(AbortReason.TOO_OLD);

  private Refusals() {}

  private static Refusal of(AbortReason reason) {
    return new Refusal(reason, null, null, null, null);
  }

  /** The shard of this footprint has no primary. */
  static Refusal unavailable(Footprint part) {
    return new Refusal(
        AbortReason.SHARD_UNAVAILABLE, FootprintParts.anyKey(part), null, null, null);
  }
}
