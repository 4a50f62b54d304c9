package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.simulation.ObservedTransaction.Kind;
import io.canopygrid.gmu.simulation.ObservedTransaction.Saw;
import io.canopygrid.gmu.simulation.ObservedTransaction.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides what the cuts of a run have taken, whether nothing that is left has seen it, and whether
 * every session that has seen it was told. The history is left without what is taken, and without
 * the reads of before that saw it.
 */
final class CutCheck {
  private final SimulatedWorld world;
  private final List<ObservedTransaction> history;
  private final VersionOrder versions;
  private final List<String> problems;

  /** The transactions that a cut has taken. */
  private final Set<ObservedTransaction> taken = new HashSet<>();

  /** The others that have read what was taken, before it was. */
  private final Set<ObservedTransaction> readers = new HashSet<>();

  CutCheck(
      SimulatedWorld world,
      List<ObservedTransaction> history,
      VersionOrder versions,
      List<String> problems) {
    this.world = world;
    this.history = history;
    this.versions = versions;
    this.problems = problems;
  }

  /** Checks, and takes out of the history what was cut. */
  void check() {
    checkToldInVain();
    if (world.cuts.isEmpty()) {
      return;
    }
    history.forEach(this::findTaken);
    history.forEach(this::findReader);
    checkTold();
    world.counters.add("transactions cut", taken.size());
    history.removeIf(tx -> taken.contains(tx) || readers.contains(tx));
  }

  private void findTaken(ObservedTransaction tx) {
    long there = tx.writes.keySet().stream().filter(k -> versions.hasVersion(k, tx)).count();
    VectorClock clock = tx.clock;
    if (tx.isCommitted() && clock != null && world.cuts.takes(clock, tx.ended)) {
      taken.add(tx);
      if (there > 0) {
        problems.add("above a cut, and there: " + tx);
      }
    } else if (tx.status == Status.UNKNOWN && there == 0 && world.cuts.isAnySince(tx.started)) {
      taken.add(tx);
    }
  }

  private void findReader(ObservedTransaction tx) {
    for (Saw saw : tx.reads) {
      ObservedTransaction writer = versions.writer(saw);
      if (writer != null && taken.contains(writer) && !taken.contains(tx)) {
        boolean isOver = tx.ended >= 0 && world.cuts.isAnySince(tx.ended);
        boolean stays = tx.isCommitted() && tx.kind != Kind.READ_ONLY && tx.kind != Kind.NAMED;
        if (stays && !tx.writes.isEmpty()) {
          problems.add(tx + " stays, and " + writer + " that it read was cut");
        } else if (tx.kind == Kind.NAMED || isOver) {
          readers.add(tx);
        }
      }
    }
  }

  /** A session that has seen what was cut does not go on without a word. */
  private void checkTold() {
    Set<Integer> checked = new HashSet<>();
    for (int i = history.size() - 1; i >= 0; i--) {
      ObservedTransaction tx = history.get(i);
      boolean saw = taken.contains(tx) || readers.contains(tx);
      if (saw && tx.isCommitted() && tx.kind != Kind.NAMED && checked.add(tx.session)) {
        long next = nextBegin(tx);
        if (next >= 0 && !world.cuts.isTold(tx.session, tx.ended, next)) {
          problems.add(
              "session " + tx.session + " goes on, and was not told that " + tx + " is lost");
        }
      }
    }
  }

  /** A session is told that commits are lost only where its clock has seen one that is. */
  private void checkToldInVain() {
    if (!world.options.has(SimulatedFault.FOREIGN_CLOCKS)) {
      for (MadeCuts.Told told : world.cuts.toldInVain()) {
        problems.add("told of a loss in vain: " + told);
      }
    }
  }

  /** When the session's next transaction began after the cut that took one; -1: none has. */
  private long nextBegin(ObservedTransaction last) {
    VectorClock clock = last.clock;
    long cut = clock == null ? -1 : world.cuts.takenAt(clock, last.ended);
    for (ObservedTransaction tx : history) {
      boolean isNext = tx.session == last.session && tx != last && tx.kind != Kind.NAMED;
      if (cut >= 0 && isNext && tx.started > cut) {
        return tx.started;
      }
    }
    return -1;
  }
}
