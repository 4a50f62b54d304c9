package io.canopygrid.gmu.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The number of times that each kind of thing happened in a run. */
final class Counters {
  private final Map<String, long[]> counts = new HashMap<>();

  void add(String what, long times) {
    long[] count = counts.get(what);
    if (count == null) {
      count = new long[1];
      counts.put(what, count);
    }
    count[0] += times;
  }

  /** By name, in alphabetical order. */
  SortedMap<String, Long> all() {
    TreeMap<String, Long> all = new TreeMap<>();
    counts.forEach((what, count) -> all.put(what, count[0]));
    return all;
  }
}
