package io.canopygrid.btree.catalog;

import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of the pins that hold the layers of clones. */
public final class ClonePinBugs {
  /** Pins are dropped while transactions may read the layers. */
  public static final Replacement NO_GRACE =
      Replacement.returning(ClonePins.class, "isGraceOver", true);

  private ClonePinBugs() {}
}
