package io.canopygrid.btree.simulation;

import io.canopygrid.btree.simulation.Attempt.Kind;
import io.canopygrid.btree.simulation.Attempt.Status;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The attempts of a run without those that cuts have taken, of which nothing may be there, and
 * without those of before that are not sure to have seen nothing of them. A commit that stays has
 * to be right without what is taken.
 */
final class CutAttempts {
  private final SimulatedGrid grid;
  private final CommitRecorder recorder;
  private final List<Attempt> attempts;
  private final List<String> problems;

  CutAttempts(
      SimulatedGrid grid, CommitRecorder recorder, List<Attempt> attempts, List<String> problems) {
    this.grid = grid;
    this.recorder = recorder;
    this.attempts = attempts;
    this.problems = problems;
  }

  List<Attempt> left() {
    Set<Attempt> taken = new HashSet<>();
    Set<Slot> slots = new HashSet<>();
    for (Attempt attempt : attempts) {
      if (isTaken(attempt)) {
        taken.add(attempt);
        slots.addAll(attempt.writes.keySet());
      }
    }
    List<Attempt> left = new ArrayList<>();
    for (Attempt attempt : attempts) {
      if (!taken.contains(attempt) && !maySee(attempt, slots)) {
        left.add(attempt);
      }
    }
    return left;
  }

  private boolean isTaken(Attempt attempt) {
    VectorClock there = recorder.clockOf(attempt);
    VectorClock clock = attempt.clock;
    if (attempt.status == Status.COMMITTED && clock != null && grid.isCut(clock, attempt.ended)) {
      if (there != null) {
        problems.add("above a cut, and there: " + attempt.story());
      }
      return true;
    }
    boolean mayHave = attempt.status == Status.UNKNOWN || attempt.status == Status.RUNNING;
    return mayHave && there == null && grid.isAnyCut(attempt.began);
  }

  /** Whether an attempt that is not validated was there before a cut, and looked at such keys. */
  private boolean maySee(Attempt attempt, Set<Slot> slots) {
    boolean stays =
        recorder.clockOf(attempt) != null
            || (attempt.status == Status.COMMITTED && attempt.kind != Kind.READ_ONLY);
    return !stays
        && grid.isAnyCut(attempt.began)
        && (attempt.seen.keySet().stream().anyMatch(slots::contains)
            || attempt.underOwnWrites.stream().anyMatch(slots::contains)
            || attempt.writes.keySet().stream().anyMatch(slots::contains));
  }
}
