package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.simulation.HistoryEntry.Ending;
import io.canopygrid.gmu.simulation.HistoryEntry.Read;
import io.canopygrid.gmu.simulation.ObservedTransaction.Saw;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what the clients of the transaction layer saw. */
final class Histories {
  private final List<ObservedTransaction> history;
  private final VersionOrder versions;

  /**
   * The histories of a run.
   *
   * @param versions in their order at the end
   */
  Histories(List<ObservedTransaction> history, VersionOrder versions) {
    this.history = history;
    this.versions = versions;
  }

  List<HistoryEntry> entries() {
    List<HistoryEntry> entries = new ArrayList<>();
    int named = -1;
    for (ObservedTransaction tx : history) {
      int session = tx.session >= 0 ? tx.session : named--;
      List<Read> reads = new ArrayList<>();
      tx.reads.forEach(saw -> reads.add(new Read(saw.key().toString(), writers(saw))));
      entries.add(
          new HistoryEntry(
              number(tx),
              session,
              tx.started,
              Math.max(tx.started, tx.ended),
              ending(tx),
              false,
              reads,
              tx.writes.keySet().stream().map(Object::toString).toList()));
    }
    return entries;
  }

  private List<Long> writers(Saw saw) {
    @Nullable ObservedTransaction last = versions.writer(saw);
    List<Long> writers = new ArrayList<>();
    if (last == null) {
      return writers;
    }
    for (ObservedTransaction writer : versions.order().getOrDefault(saw.key(), List.of())) {
      writers.add(number(writer));
      if (writer.equals(last)) {
        return writers;
      }
    }
    // A version that did not last.
    return List.of(number(last));
  }

  private static long number(ObservedTransaction tx) {
    return tx.number + 1L;
  }

  private static Ending ending(ObservedTransaction tx) {
    if (tx.ended < 0) {
      return Ending.UNKNOWN;
    }
    return switch (tx.status) {
      case COMMITTED -> Ending.COMMITTED;
      case ABORTED -> Ending.ABORTED;
      case UNKNOWN -> Ending.UNKNOWN;
    };
  }
}
