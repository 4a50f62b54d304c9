package io.canopygrid.btree.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.List;

/** The clocks that clients were told, and when: those that a cut has taken since do not count. */
final class SeenClocks {
  private final SimulatedGrid grid;
  private final List<Seen> all = new ArrayList<>();

  private record Seen(VectorClock clock, long at) {}

  SeenClocks(SimulatedGrid grid) {
    this.grid = grid;
  }

  void saw(VectorClock clock) {
    all.add(new Seen(clock, grid.now()));
  }

  /** The join of them. */
  VectorClock clock() {
    return all.stream()
        .filter(seen -> !grid.isCut(seen.clock(), seen.at()))
        .map(Seen::clock)
        .reduce(VectorClock.ZERO, VectorClock::join);
  }
}
