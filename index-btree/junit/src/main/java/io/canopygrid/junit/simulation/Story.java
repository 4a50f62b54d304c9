package io.canopygrid.junit.simulation;

import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The steps of a run's clients, in words, which are part of the run's trace. */
final class Story {
  /** Part of the steps that tell at which node a client is. */
  static final String NODE = " node";

  private static final double UNITS_PER_MILLI = 10;

  private static final int LINES_MAX = 100_000;

  private final SimulatedGrid grid;
  private final List<String> lines = new ArrayList<>();

  Story(SimulatedGrid grid) {
    this.grid = grid;
  }

  void tell(String who, String what) {
    String step = who + " " + what;
    grid.note(step);
    if (lines.size() < LINES_MAX) {
      lines.add(String.format(Locale.ROOT, "%9.1f ms  %s", grid.now() / UNITS_PER_MILLI, step));
    }
  }

  /** All steps, the first ones where there are too many. */
  List<String> lines() {
    return lines;
  }
}
