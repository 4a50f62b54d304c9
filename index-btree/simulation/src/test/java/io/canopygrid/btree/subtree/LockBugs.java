package io.canopygrid.btree.subtree;

import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of locks in headers. */
public final class LockBugs {
  /** A subtree that takes keys of a neighbour does not take what is held there. */
  public static final Replacement NOT_TAKEN =
      Replacement.replacing(SubtreeHeader.class, "withLocksOf", Replacement.Call::self);

  private LockBugs() {}
}
