package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.HistoryEntry;
import io.canopygrid.gmu.simulation.HistoryEntry.Ending;
import io.canopygrid.gmu.simulation.HistoryEntry.Read;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what the clients of the tree saw. A read that found nothing where somebody has
 * removed a key cannot say after which removal it came. Such a read is left out.
 */
final class TreeHistory {
  private final List<Attempt> attempts;
  private final Map<Slot, List<Long>> writers = new HashMap<>();
  private final Map<Slot, Boolean> removed = new HashMap<>();

  /**
   * @param serial those that have committed, in the order of their commits
   */
  TreeHistory(List<Attempt> attempts, List<Attempt> serial) {
    this.attempts = attempts;
    for (Attempt attempt : serial) {
      attempt.writes.forEach((slot, put) -> {
        writers.computeIfAbsent(slot, s -> new ArrayList<>()).add(attempt.number);
        removed.merge(slot, !put, Boolean::logicalOr);
      });
    }
  }

  List<HistoryEntry> entries() {
    List<HistoryEntry> entries = new ArrayList<>();
    for (Attempt attempt : attempts) {
      List<Read> reads = new ArrayList<>();
      attempt.seen.forEach((slot, writer) -> {
        List<Long> seen = upTo(slot, writer);
        if (seen != null) {
          reads.add(new Read(slot.toString(), seen));
        }
      });
      entries.add(
          new HistoryEntry(
              attempt.number,
              attempt.session,
              attempt.began,
              Math.max(attempt.began, attempt.ended),
              ending(attempt),
              attempt.seesAll,
              reads,
              attempt.writes.keySet().stream().map(Slot::toString).toList()));
    }
    return entries;
  }

  private @Nullable List<Long> upTo(Slot slot, long writer) {
    if (writer == Attempt.NOBODY) {
      return removed.getOrDefault(slot, false) ? null : List.of();
    }
    List<Long> all = writers.getOrDefault(slot, List.of());
    int last = all.indexOf(writer);
    return last < 0 ? List.of(writer) : all.subList(0, last + 1);
  }

  private static Ending ending(Attempt attempt) {
    return switch (attempt.status) {
      case COMMITTED -> Ending.COMMITTED;
      case ABORTED -> Ending.ABORTED;
      case UNKNOWN, RUNNING -> Ending.UNKNOWN;
    };
  }
}
