package io.canopygrid.gmu.protocol.garbage;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Decision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which commits some owner of their shards may lack, by number: what a watermark must stay below
 * (protocol.md, Reads at backups). Confined to the protocol lock.
 */
final class Completeness {
  private final Set<TxId> open = new HashSet<>();

  /** The number of open commits that have a number, by shard: two commits can have the same. */
  private final Map<Integer, TreeMap<Long, Integer>> numbers = new HashMap<>();

  /** A decision is known here, and perhaps not at every owner. */
  void learnt(Decision decision) {
    VectorClock clock = decision.clock();
    if (clock != null && open.add(decision.tid())) {
      for (int shard : decision.participants()) {
        numbers
            .computeIfAbsent(shard, s -> new TreeMap<>())
            .merge(clock.get(shard), 1, Integer::sum);
      }
    }
  }

  /** Every owner has it; said twice it changes nothing. */
  void replicated(Decision decision) {
    VectorClock clock = decision.clock();
    if (clock != null && open.remove(decision.tid())) {
      for (int shard : decision.participants()) {
        numbers.computeIfPresent(
            shard,
            (s, of) -> {
              of.computeIfPresent(clock.get(shard), (n, count) -> count == 1 ? null : count - 1);
              return of.isEmpty() ? null : of;
            });
      }
    }
  }

  /** The number applied, or the one right below the lowest open commit where that is lower. */
  long upTo(int shard, long applied) {
    TreeMap<Long, Integer> of = numbers.get(shard);
    return of == null ? applied : Math.min(applied, of.firstKey() - 1);
  }
}
