package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.crown.CutOffEntry;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import java.util.List;
import java.util.OptionalInt;

/** The fixed cut-offs: how many subtrees per node an index is to have. Thread-safe. */
public final class CutOffs {
  private static final String LABEL = "canopy.cutoff";

  private final Catalog catalog;

  /** The cut-offs beside a catalog. */
  public CutOffs(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Fixes the cut-off of an index; empty: it is fixed no more. */
  public void fix(int index, OptionalInt subtreesPerNode) {
    CompositeKey key = CutOffEntry.key(index);
    byte[] value =
        subtreesPerNode.isPresent()
            ? new CutOffEntry(index, subtreesPerNode.getAsInt()).encode()
            : null;
    boolean unused =
        catalog.in(transaction -> {
          ReadAnswer.Got found = Catalog.get(transaction, key);
          Outcome outcome =
              transaction.commit(
                  new Footprint(
                      List.of(new KeyRead(key, found.seen())),
                      List.of(),
                      List.of(new Write(key, value, null))),
                  LABEL);
          if (outcome instanceof Outcome.Aborted aborted
              && aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
            throw new CanopyException(ErrorCode.SHARD_UNAVAILABLE, "the cut-off cannot be written");
          }
          // A commit with an unknown outcome is done again: it writes the same.
          return outcome instanceof Outcome.Committed ? true : null;
        });
  }
}
