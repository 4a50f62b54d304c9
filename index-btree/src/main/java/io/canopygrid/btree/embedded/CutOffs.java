package io.canopygrid.btree.embedded;

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

/** How many subtrees per node indexes are to have, where that is fixed. Thread-safe. */
final class CutOffs {
  private static final String LABEL = "canopy.cutoff";

  private final Catalog catalog;

  CutOffs(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Fixes it; empty: it is fixed no more. */
  void fix(int index, OptionalInt subtreesPerNode) {
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
          // What is not known is done again: it is the same then.
          return outcome instanceof Outcome.Committed ? true : null;
        });
  }
}
