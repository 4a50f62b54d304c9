package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.Fault;
import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.List;

/**
 * Looks for seeds that catch mutations of the tree, for the mutation tests, when a change has made
 * the old ones pass: {@code TreeMutationSearch [seeds] [found] [names…]}.
 */
final class TreeMutationSearch {
  private TreeMutationSearch() {}

  public static void main(String[] args) {
    int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 200;
    int enough = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    for (TreeMutation mutation : TreeMutation.values()) {
      if (args.length <= 2 || List.of(args).contains(mutation.name())) {
        search(mutation, seeds, enough);
      }
    }
  }

  private static void search(TreeMutation mutation, int seeds, int enough) {
    System.out.println(mutation + ": " + mutation.what());
    int found = 0;
    for (long seed = 0; seed < seeds && found < enough; seed++) {
      SimulationResult result =
          TreeSimulation.run(seed, options(mutation, seed), mutation.bug(), Watch.RESULT);
      if (result.failed()) {
        found++;
        System.out.println("   seed " + seed + ": " + result.failures().get(0));
      }
    }
  }

  /**
   * The runs that are looked through: every other one with faults. What backups do shows where all
   * nodes have everything, which half of the transactions read where they are.
   */
  static SimulationOptions options(TreeMutation mutation, long seed) {
    if (mutation == TreeMutation.BACKUP_GUESSES) {
      return SimulationOptions.of(3, 2, 3, Fault.NETWORK)
          .with(Reads.ALL)
          .withSessions(10)
          .withTransactions(3);
    }
    return SimulationOptions.DEFAULT.with(seed % 2 == 0 ? Fault.NETWORK : Fault.PLANNED);
  }
}
