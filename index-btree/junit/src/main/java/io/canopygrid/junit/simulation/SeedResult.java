package io.canopygrid.junit.simulation;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run of a seed.
 *
 * @param problem what went wrong, in words; null: nothing
 * @param cause what a body has thrown, or where it is; null: none has
 * @param isOver whether the run came to its end, so that another one can be compared with it
 * @param hash over all events: two runs that differ anywhere differ here
 * @param story the steps of the clients
 * @param events all events, where they were asked for
 * @param counters how often what happened
 */
record SeedResult(
    @Nullable String problem,
    @Nullable Throwable cause,
    boolean isOver,
    long hash,
    List<String> story,
    List<String> events,
    Map<String, Long> counters) {
  boolean failed() {
    return problem != null;
  }

  /** The run has not come to its end. */
  static SeedResult cutOff(String problem, Throwable cause, List<String> story) {
    return new SeedResult(problem, cause, false, 0, story, List.of(), Map.of());
  }
}
