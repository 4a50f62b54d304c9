package io.canopygrid.junit.simulation;

import java.util.HashMap;
import java.util.Map;

/**
 * The things that have happened in the runs of a simulation, all seeds together. A test that counts
 * on faults can look here whether there were any.
 */
public final class SimulationReport {
  private final Map<String, Long> counters = new HashMap<>();
  private long runs;

  SimulationReport() {}

  void add(SeedResult result) {
    runs++;
    result.counters().forEach((what, times) -> counters.merge(what, times, Long::sum));
  }

  /** The number of seeds. */
  public long seeds() {
    return runs;
  }

  /** The number of times that a fault happened; of delays and repetitions the messages. */
  public long count(GridFault fault) {
    return counters.getOrDefault(fault.counter(), 0L);
  }

  /** The number of bodies that were begun again, as their node had died. */
  public long restarts() {
    return counters.getOrDefault("client restarts", 0L);
  }

  /** The number of updates whose order Canopy's own check has confirmed, its own among them. */
  public long updates() {
    return counters.getOrDefault("updates", 0L);
  }

  /** For people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(runs + " seeds, " + restarts() + " restarts");
    for (GridFault fault : GridFault.values()) {
      text.append(", ").append(fault).append(' ').append(count(fault));
    }
    return text.toString();
  }
}
