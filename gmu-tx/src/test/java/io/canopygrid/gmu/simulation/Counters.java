package io.canopygrid.gmu.simulation;

import java.util.SortedMap;
import java.util.TreeMap;

/** How often what happened in a run. */
final class Counters {
  private final TreeMap<String, Long> counts = new TreeMap<>();

  void add(String what, long times) {
    counts.merge(what, times, Long::sum);
  }

  SortedMap<String, Long> all() {
    return new TreeMap<>(counts);
  }
}
