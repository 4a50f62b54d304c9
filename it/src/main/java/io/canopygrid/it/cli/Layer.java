package io.canopygrid.it.cli;

import io.canopygrid.btree.simulation.TreeSimulation;
import io.canopygrid.gmu.simulation.NodeFactory;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What of Canopy runs in a simulation. */
enum Layer {
  /** The transaction layer alone. */
  TRANSACTIONS,
  /** The tree on it: indexes, splits, scans. */
  INDEX;

  /**
   * Runs one seed to the end.
   *
   * @param plant a rule of the tree to be broken on purpose; null: none
   */
  SimulationResult run(long seed, SimulationOptions options, @Nullable String plant, Watch watch) {
    if (this == TRANSACTIONS) {
      return Simulation.run(seed, options, NodeFactory.REAL, watch);
    }
    return plant == null
        ? TreeSimulation.run(seed, options, watch)
        : TreeSimulation.runBroken(plant, seed, options, watch);
  }

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
