package io.canopygrid.btree.catalog;

import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of clones in the catalog. */
public final class CloneBugs {
  /** Neither the making of a clone nor the end of its flattening comes after all that was told. */
  public static final Replacement NOT_AFTER_ALL = Replacement.skipping(IndexClones.class, "seeAll");

  private CloneBugs() {}
}
