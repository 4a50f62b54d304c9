package io.canopygrid.gmu.simulation;

import java.util.List;
import java.util.SortedMap;

/**
 * The result of a run.
 *
 * @param failures what went wrong, in words; empty: every promise was kept
 * @param trace every event in order, one a line, where it was asked for; else empty
 * @param traceHash a hash over all events: two runs that differ anywhere differ here
 * @param counters how often what happened, by name, in alphabetical order
 */
public record SimulationResult(
    long seed,
    SimulationOptions options,
    List<String> failures,
    List<String> trace,
    long traceHash,
    SortedMap<String, Long> counters) {
  public boolean failed() {
    return !failures.isEmpty();
  }

  /** The number of times that something happened, 0 where it never did. */
  public long count(String what) {
    return counters.getOrDefault(what, 0L);
  }
}
