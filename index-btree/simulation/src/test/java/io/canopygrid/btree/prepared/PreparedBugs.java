package io.canopygrid.btree.prepared;

import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.List;

/** Broken rules of prepared transactions. */
public final class PreparedBugs {
  /** A preparation does not validate the keys that were read. */
  public static final Replacement READS_NOT_VALIDATED =
      Replacement.skipping(FirstStep.class, "addReads");

  /** Two prepared transactions may hold the same key. */
  public static final Replacement HELD_TWICE =
      Replacement.returning(FirstStep.class, "isInTheWay", false);

  /** Scanned ranges are not held. */
  public static final Replacement RANGES_NOT_HELD =
      Replacement.skipping(LockPlan.class, "addRanges");

  /** A decision does not validate that it is still to be made. */
  public static final Replacement DECIDED_TWICE =
      Replacement.replacing(
          SecondStep.class,
          "footprint",
          call -> {
            Footprint footprint = call.proceed(Footprint.class);
            return footprint == null
                ? null
                : new Footprint(List.of(), List.of(), footprint.writes());
          });

  private PreparedBugs() {}
}
