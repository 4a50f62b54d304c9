package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.access.read.Snapshot;
import io.canopygrid.engine.SortedPart;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The load that a transaction has staged, if any. Confined to the transaction's thread. */
final class StagedLoad {
  private final SharedParts shared;
  private final TransactionContext context;
  private final Snapshot snapshot;
  private final TransactionFootprint footprint;
  private @Nullable BulkLoad load;

  StagedLoad(
      SharedParts shared,
      TransactionContext context,
      Snapshot snapshot,
      TransactionFootprint footprint) {
    this.shared = shared;
    this.context = context;
    this.snapshot = snapshot;
    this.footprint = footprint;
  }

  /**
   * Loads a part of an index, where nothing else is done in this transaction.
   *
   * @return how many subtrees that makes; 0: none, and nothing was done
   */
  int plan(IndexRef index, SortedPart part) throws TimeoutException {
    Invariant.holds(load == null && !footprint.hasWrites(), "a load is a transaction of its own");
    load = BulkLoad.plan(shared, context, snapshot, index, part);
    return load == null ? 0 : load.births();
  }

  /** Whether there is none. */
  boolean isEmpty() {
    return load == null;
  }

  /** Adds what the commit has to validate and to write. */
  void addTo(List<KeyRead> reads, List<RangeRead> ranges, List<Write> writes) {
    if (load != null) {
      load.addTo(reads, ranges, writes);
    }
  }
}
