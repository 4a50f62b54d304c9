package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.Set;
import java.util.stream.Collectors;

/** One run of the tree on a simulated grid. The seed decides everything. */
public final class TreeSimulation {
  /** Keeps the choice of the trees' size apart from all others. */
  private static final long SHAPE = 0x7265_6554L;

  /** The kinds of work that know what a cut takes. */
  private static final Set<SimulatedWork> UNDER_POWER =
      Set.of(SimulatedWork.COMMITS, SimulatedWork.TABLES);

  private TreeSimulation() {}

  /** Runs the code as it ships to the end. */
  public static SimulationResult run(long seed, SimulationOptions options, Watch watch) {
    return run(seed, options, TreeBug.NONE, watch);
  }

  /** Runs to the end with something broken on purpose. */
  public static SimulationResult run(
      long seed, SimulationOptions options, TreeBug bug, Watch watch) {
    TreeShape shape = TreeShape.random(seed, new SeededRandom(seed ^ SHAPE));
    CommitRecorder recorder = new CommitRecorder(shape.arity());
    TreeRun run =
        new TreeRun(
            options.sessions(),
            options.transactions(),
            options.reads().has(Reads.Way.NEAREST),
            SimulatedFault.NETWORK.containsAll(options.faults()),
            options.faults().contains(SimulatedFault.SKEW),
            options.faults().contains(SimulatedFault.LATE_REPORTS),
            options.faults().contains(SimulatedFault.LONG_READERS),
            work(options));
    return Simulation.run(
        seed,
        options,
        new TreeNodes(recorder, bug),
        watch,
        grid -> new TreeProgram(grid, recorder, shape, run, bug));
  }

  private static Set<SimulatedWork> work(SimulationOptions options) {
    return options.faults().contains(SimulatedFault.POWER)
        ? options.work().stream().filter(UNDER_POWER::contains).collect(Collectors.toSet())
        : options.work();
  }
}
