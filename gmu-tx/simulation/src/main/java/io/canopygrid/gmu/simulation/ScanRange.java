package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.simulation.TransactionMix.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The range that a scan's answer speaks of: all of the range asked for, or the part before the
 * entry at which the scan was stopped.
 *
 * @param first the number of the first key
 * @param last the number of the last one
 * @param to where the range ends, exclusive; null: it has no end
 */
record ScanRange(int first, int last, byte @Nullable [] to) {
  /** Scans of all keys have no end in some transactions, others want few entries, or keys only. */
  static ReadQuery.Scan query(
      SimulatedWorld world,
      TransactionMix mix,
      Operation.Scan scan,
      int transaction,
      boolean reverse) {
    byte[] from = world.key(scan.shard(), 0).ku();
    boolean endless = scan.last() == mix.keys() - 1 && transaction % 2 == 0;
    byte[] to = endless ? null : world.key(scan.shard(), scan.last() + 1).ku();
    int limit = transaction % 5 == 0 ? 2 : 100;
    boolean values = transaction % 3 > 0;
    return new ReadQuery.Scan(world.kcl(scan.shard()), from, to, reverse, limit, values);
  }

  static ScanRange of(
      SimulatedWorld world, Operation.Scan scan, ReadQuery.Scan query, ReadAnswer.Scanned scanned) {
    if (scanned.complete()) {
      return new ScanRange(0, scan.last(), query.to());
    }
    List<ReadAnswer.Entry> entries = scanned.entries();
    int stopped = entries.get(entries.size() - 1).ku()[0] - 1;
    return query.reverse()
        ? new ScanRange(stopped, scan.last(), query.to())
        : new ScanRange(0, stopped, world.key(scan.shard(), stopped + 1).ku());
  }
}
