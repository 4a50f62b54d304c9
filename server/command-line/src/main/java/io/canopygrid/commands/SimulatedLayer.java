package io.canopygrid.commands;

import io.canopygrid.btree.simulation.TreeBug;
import io.canopygrid.btree.simulation.TreeSimulation;
import io.canopygrid.gmu.simulation.NodeFactory;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The layers of Canopy that run in a simulation. */
enum SimulatedLayer {
  /** The transaction layer alone. */
  TRANSACTIONS,
  /** The tree on it: indexes, splits, scans. */
  INDEX;

  /**
   * Runs one seed to the end.
   *
   * @param plant the class of a bug of the tree, which is put into it on purpose; null: none
   */
  SimulationResult run(long seed, SimulationOptions options, @Nullable String plant, Watch watch) {
    if (this == TRANSACTIONS) {
      return Simulation.run(seed, options, NodeFactory.REAL, watch);
    }
    return plant == null
        ? TreeSimulation.run(seed, options, watch)
        : TreeSimulation.run(seed, options, bug(plant), watch);
  }

  private static TreeBug bug(String name) {
    try {
      return Class.forName(name).asSubclass(TreeBug.class).getConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalArgumentException("no such bug: " + name, e);
    }
  }

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
