package io.canopygrid.btree.embedded;

import io.canopygrid.btree.access.commit.CopiedEntries;
import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of flattening. */
public final class FlatteningBugs {
  /** A clone is one no more after the first step. */
  public static final Replacement ENDS_EARLY =
      Replacement.replacing(
          Flattening.class,
          "copy",
          call -> new CopiedEntries(call.proceed(CopiedEntries.class).entries(), null));

  private FlatteningBugs() {}
}
