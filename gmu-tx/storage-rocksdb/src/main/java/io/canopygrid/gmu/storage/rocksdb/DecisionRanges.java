package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * By coordinator a range of counters that has all of its decisions in the engine. With it a mark is
 * one deletion of a range, of which none covers what another one has deleted already: many that
 * overlap would make reads slow. Confined to one thread.
 */
final class DecisionRanges {
  private final Map<NodeId, Range> ranges = new HashMap<>();

  /** Counters from one, inclusive, to another, exclusive. */
  record Range(long from, long to) {}

  void add(TxId tid) {
    long counter = tid.counter();
    ranges.merge(
        tid.coordinator(),
        new Range(counter, counter + 1),
        (a, b) -> new Range(Math.min(a.from, b.from), Math.max(a.to, b.to)));
  }

  /** Takes out the counters below one; null: there are none. */
  @Nullable Range removeBelow(NodeId coordinator, long below) {
    Range range = ranges.get(coordinator);
    if (range == null || range.from >= below) {
      return null;
    }
    if (below >= range.to) {
      ranges.remove(coordinator);
      return range;
    }
    ranges.put(coordinator, new Range(below, range.to));
    return new Range(range.from, below);
  }
}
