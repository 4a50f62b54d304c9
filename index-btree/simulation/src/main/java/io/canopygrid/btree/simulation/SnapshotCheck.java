package io.canopygrid.btree.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides whether each attempt that was not validated has seen a consistent snapshot: the effects
 * of a set of committed updates that has with each update all those that it depends on. The
 * smallest set that explains what was seen is built; if that one does not fit, none does.
 */
final class SnapshotCheck {
  private final List<Attempt> attempts;
  private final List<Attempt> serial;
  private final List<String> problems;
  private final Map<Attempt, Integer> places = new HashMap<>();
  private final Map<Long, Integer> placeOf = new HashMap<>();

  /** By place what must come before an attempt. */
  private final List<BitSet> before = new ArrayList<>();

  /** By key the places of its writers, in order. */
  private final Map<Slot, List<Integer>> writers = new TreeMap<>();

  /** The places of the attempts that each session has seen so far. */
  private final Map<Integer, BitSet> sessions = new HashMap<>();

  SnapshotCheck(List<Attempt> attempts, List<Attempt> serial, List<String> problems) {
    this.attempts = attempts;
    this.serial = serial;
    this.problems = problems;
  }

  void check() {
    findDependencies();
    for (Attempt attempt : attempts) {
      BitSet known = sessions.computeIfAbsent(attempt.session, s -> new BitSet());
      Integer place = places.get(attempt);
      if (place != null) {
        if (attempt.status == Attempt.Status.COMMITTED) {
          add(known, place);
        }
        continue;
      }
      BitSet snapshot = (BitSet) known.clone();
      if (attempt.seesAll) {
        addAll(
            snapshot,
            serial.stream().filter(a -> a.number < attempt.number).map(places::get).toList());
      }
      if (explain(attempt, snapshot) && attempt.status == Attempt.Status.COMMITTED) {
        known.or(snapshot);
      }
    }
  }

  private void findDependencies() {
    Map<Slot, BitSet> readers = new HashMap<>();
    for (int place = 0; place < serial.size(); place++) {
      Attempt attempt = serial.get(place);
      places.put(attempt, place);
      placeOf.put(attempt.number, place);
      BitSet first = new BitSet();
      before.add(first);
      attempt.seen.keySet().forEach(slot -> addAll(first, writersOf(slot)));
      for (Slot slot : attempt.writes.keySet()) {
        addAll(first, writersOf(slot));
        readers.getOrDefault(slot, new BitSet()).stream().forEach(p -> add(first, p));
      }
      for (Slot slot : attempt.seen.keySet()) {
        readers.computeIfAbsent(slot, s -> new BitSet()).set(place);
      }
      for (Slot slot : attempt.writes.keySet()) {
        writersOf(slot).add(place);
      }
    }
  }

  private List<Integer> writersOf(Slot slot) {
    return writers.computeIfAbsent(slot, s -> new ArrayList<>());
  }

  private void addAll(BitSet set, List<Integer> more) {
    more.forEach(place -> add(set, place));
  }

  private void add(BitSet set, int place) {
    set.set(place);
    set.or(before.get(place));
  }

  /**
   * Extends a set of updates to one that explains what was seen; false, and told: there is none.
   */
  private boolean explain(Attempt attempt, BitSet snapshot) {
    for (Map.Entry<Slot, Long> e : attempt.seen.entrySet()) {
      if (e.getValue() != Attempt.NOBODY) {
        Integer writer = placeOf.get(e.getValue());
        if (writer == null) {
          problems.add("a dirty read of " + e.getKey() + ": " + attempt.story());
          return false;
        }
        add(snapshot, writer);
      }
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Map.Entry<Slot, Long> e : attempt.seen.entrySet()) {
        Slot slot = e.getKey();
        int last = lastWriter(slot, snapshot);
        if (writerAt(slot, last) == e.getValue()) {
          continue;
        }
        int removal = e.getValue() == Attempt.NOBODY ? removalAfter(slot, last) : -1;
        if (removal < 0) {
          problems.add(
              String.format(
                      Locale.ROOT,
                      "no consistent snapshot: %s read %s of #%d, but what else it or its session saw",
                      attempt,
                      slot,
                      e.getValue())
                  + String.format(
                      Locale.ROOT,
                      " comes after %s, which wrote it later; %s",
                      last < 0 ? "nobody" : serial.get(last),
                      attempt.story()));
          return false;
        }
        add(snapshot, removal);
        changed = true;
      }
    }
    return true;
  }

  /** The place of the last writer of a key in a set; -1: there is none. */
  private int lastWriter(Slot slot, BitSet snapshot) {
    int last = -1;
    for (int place : writersOf(slot)) {
      last = snapshot.get(place) ? place : last;
    }
    return last;
  }

  /** Whose value a key has after its writer at a place. */
  private long writerAt(Slot slot, int place) {
    if (place < 0) {
      return Attempt.NOBODY;
    }
    Attempt writer = serial.get(place);
    return Boolean.TRUE.equals(writer.writes.get(slot)) ? writer.number : Attempt.NOBODY;
  }

  /** The first removal of a key after a place; -1: there is none. */
  private int removalAfter(Slot slot, int place) {
    for (int next : writersOf(slot)) {
      if (next > place && writerAt(slot, next) == Attempt.NOBODY) {
        return next;
      }
    }
    return -1;
  }
}
