package io.canopygrid.btree.simulation;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.List;
import java.util.Map;

/**
 * A kind of work beside that of the usual clients, and the checks of what it promises. It uses
 * indexes of its own; their values do not take eight bytes, by which {@link CommitRecorder} knows
 * those of the usual clients. One run's own; all its calls are made one at a time.
 */
interface TreeWork {
  /** A node was made. */
  void onNode(GmuNode node, EmbeddedCanopy handle);

  /** Starts the clients. */
  void start();

  /** Looks at everything, when all clients have ended and the grid has recovered; may block. */
  void finish();

  /** After the run, on a grid at rest: what went wrong, in words. */
  List<String> check();

  /** The number of times that each thing happened, by name. */
  Map<String, Long> counts();

  /** Makes the work of a run. */
  interface Factory {
    TreeWork create(SimulatedGrid grid, TreeWorld world, TreeRun run, TreeLedgers ledgers);
  }
}
