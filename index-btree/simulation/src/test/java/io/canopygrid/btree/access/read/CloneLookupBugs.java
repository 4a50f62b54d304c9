package io.canopygrid.btree.access.read;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of finding clones. */
public final class CloneLookupBugs {
  /** A clone is read whether or not the snapshot has it. */
  public static final Replacement MADE_IGNORED =
      Replacement.returning(KnownClone.class, "made", VectorClock.ZERO);

  /** Removals leave no masks. */
  public static final Replacement NO_MASKS =
      Replacement.returning(CloneLookup.class, "masks", CloneLookup.Masks.NONE);

  /** Removals leave no masks once the flattening is known. */
  public static final Replacement MASKS_END_EARLY =
      Replacement.replacing(
          CloneLookup.class,
          "masks",
          call ->
              call.proceed() == CloneLookup.Masks.ALL ? CloneLookup.Masks.NONE : call.proceed());

  /** Layers are looked at that the transaction knows to be at their end. */
  public static final Replacement LAYERS_OUTLIVE =
      Replacement.replacing(
          CloneLookup.class, "layersOf", call -> call.argument(0, KnownClone.class).layers());

  private CloneLookupBugs() {}
}
