package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.ArrayList;
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
        System.out.println(mutation + ": " + mutation.what());
        mutation.during(() -> caught(mutation, seeds, enough)).forEach(System.out::println);
      }
    }
  }

  private static List<String> caught(TreeMutation mutation, int seeds, int enough) {
    List<String> caught = new ArrayList<>();
    for (long seed = 0; seed < seeds && caught.size() < enough; seed++) {
      SimulationResult result =
          TreeSimulation.run(seed, options(mutation, seed), mutation.bug(), Watch.RESULT);
      if (result.failed()) {
        caught.add("   seed " + seed + ": " + result.failures().get(0));
      }
    }
    return caught;
  }

  /**
   * The runs that are looked through: every other one with faults. A fault of backups shows where
   * all nodes have everything and half of the transactions read where they are.
   */
  static SimulationOptions options(TreeMutation mutation, long seed) {
    if (mutation == TreeMutation.BACKUP_GUESSES) {
      return SimulationOptions.of(3, 2, 3, SimulatedFault.NETWORK)
          .with(Reads.ALL)
          .withSessions(10)
          .withTransactions(3);
    }
    return SimulationOptions.DEFAULT.with(
        seed % 2 == 0 ? SimulatedFault.NETWORK : SimulatedFault.PLANNED);
  }
}
