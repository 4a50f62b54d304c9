package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All attempts of a run, in the order in which they began. */
final class TreeLog {
  private final SimulatedGrid grid;
  private final List<Attempt> attempts = new ArrayList<>();

  TreeLog(SimulatedGrid grid) {
    this.grid = grid;
  }

  List<Attempt> attempts() {
    return attempts;
  }

  Attempt begin(int session, Attempt.Kind kind) {
    Attempt attempt = new Attempt(attempts.size() + 1L, session, kind, grid.now());
    attempts.add(attempt);
    grid.note(attempt + " of session " + session + " begins: " + kind);
    return attempt;
  }

  void saw(Attempt attempt, Slot slot, long writer) {
    Long before = attempt.seen.putIfAbsent(slot, writer);
    if (before != null && before != writer) {
      grid.problem(attempt + " read " + slot + " twice, of #" + before + " and then of #" + writer);
    }
  }

  void wrote(Attempt attempt, Slot slot, boolean put) {
    grid.note(attempt + (put ? " puts " : " removes ") + slot);
    attempt.writes.put(slot, put);
  }

  void end(Attempt attempt, Attempt.Status status) {
    attempt.end(status, grid.now());
    String error = attempt.error == null ? "" : ": " + attempt.error;
    grid.note(attempt + " ends " + status + error);
  }

  private static String words(Map<Long, Long> found) {
    StringBuilder text = new StringBuilder();
    found.forEach((key, writer) -> text.append(' ').append(key).append(" of #").append(writer));
    return found.isEmpty() ? "nothing" : text.substring(1);
  }

  /**
   * Notes the entries that a scan found which covered all keys from {@code low} to {@code high}.
   */
  void scanned(Attempt attempt, int index, long low, long high, Map<Long, Long> found) {
    grid.note(attempt + " finds in i" + index + "[" + low + " to " + high + "]: " + words(found));
    for (long key = low; key <= high; key++) {
      Slot slot = new Slot(index, key);
      Boolean own = attempt.writes.get(slot);
      long writer = found.getOrDefault(key, Attempt.NOBODY);
      if (own == null) {
        saw(attempt, slot, writer);
        continue;
      }
      attempt.underOwnWrites.add(slot);
      if (writer != (own ? attempt.number : Attempt.NOBODY)) {
        grid.problem(attempt + " scanned " + slot + " of #" + writer + " over its own write");
      }
    }
  }
}
