package io.canopygrid.junit.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first place at which two runs of one seed differ. */
final class RunDifference {
  private RunDifference() {}

  /** In words; null: there is none. */
  static @Nullable String between(SeedResult one, SeedResult other) {
    if (one.hash() == other.hash()) {
      return null;
    }
    String steps = first(one.story(), other.story());
    String events = first(one.events(), other.events());
    if (steps != null) {
      return "the clients' steps: " + steps;
    }
    return events == null ? "what was noted" : "the events of the grid: " + events;
  }

  private static @Nullable String first(List<String> one, List<String> other) {
    int shorter = Math.min(one.size(), other.size());
    for (int i = 0; i < shorter; i++) {
      if (!one.get(i).equals(other.get(i))) {
        String before = i == 0 ? "at the beginning" : "after '" + one.get(i - 1).strip() + "'";
        return before
            + " one has '"
            + one.get(i).strip()
            + "', the other '"
            + other.get(i).strip()
            + "'";
      }
    }
    return one.size() == other.size()
        ? null
        : "one ends after '" + (shorter == 0 ? "nothing" : one.get(shorter - 1).strip()) + "'";
  }
}
