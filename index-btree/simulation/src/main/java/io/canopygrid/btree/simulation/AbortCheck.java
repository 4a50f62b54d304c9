package io.canopygrid.btree.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether each conflict that a caller was told of was one with another caller: a split or
 * another change of the structure aborts nobody.
 */
final class AbortCheck {
  private final List<Attempt> attempts;
  private final List<Attempt> all;
  private final List<String> problems;
  private final Map<Attempt, Integer> places = new HashMap<>();
  private final Map<Long, Attempt> byNumber = new HashMap<>();

  /**
   * Decides nothing yet.
   *
   * @param all also those that a cut has taken: they were in the way
   */
  AbortCheck(
      List<Attempt> attempts, List<Attempt> all, List<Attempt> serial, List<String> problems) {
    this.attempts = attempts;
    this.all = all;
    this.problems = problems;
    for (int i = 0; i < serial.size(); i++) {
      places.put(serial.get(i), i);
    }
    all.forEach(attempt -> byNumber.put(attempt.number, attempt));
  }

  void check() {
    for (Attempt attempt : attempts) {
      if (attempt.isConflict() && all.stream().noneMatch(o -> isInTheWay(o, attempt))) {
        problems.add("aborted though nobody was in the way: " + attempt.story());
      }
    }
  }

  /** Whether another attempt wrote, or tried to write, a key after this one saw it. */
  private boolean isInTheWay(Attempt other, Attempt attempt) {
    if (other == attempt || other.began > attempt.ended) {
      return false;
    }
    for (Slot slot : other.writes.keySet()) {
      Long seen = attempt.seen.get(slot);
      if (attempt.underOwnWrites.contains(slot)) {
        return true;
      }
      if (seen != null && seen != other.number && !isBefore(other, byNumber.get(seen))) {
        return true;
      }
    }
    return false;
  }

  private boolean isBefore(Attempt other, @Nullable Attempt writer) {
    Integer a = places.get(other);
    Integer b = writer == null ? null : places.get(writer);
    return a != null && b != null && a < b;
  }
}
