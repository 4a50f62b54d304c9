package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.node.GmuNode;
import java.util.List;
import java.util.Map;

/**
 * Code that runs on a simulated grid and may block: the layers above transactions, and their
 * clients. One run's own; all its calls are made one at a time.
 */
public interface GridProgram {
  /** A node was made; what runs at it begins to. */
  void onNode(GmuNode node);

  /** Starts the clients. */
  void start();

  /** Plans the faults of the run: one round, from the beginning on. */
  default void plan(FaultRounds faults) {
    faults.plan();
  }

  /** After the run, on a grid at rest: what went wrong, in words. */
  List<String> check();

  /** After the check: what the clients saw. */
  List<HistoryEntry> history();

  /** The number of times that each thing happened, by name. */
  Map<String, Long> counts();

  /** Makes the program of a run. */
  interface Factory {
    GridProgram create(SimulatedGrid grid);
  }
}
