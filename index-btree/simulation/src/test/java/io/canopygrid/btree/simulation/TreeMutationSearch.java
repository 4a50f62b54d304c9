package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulationOptions;
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
        mutation.rule.search(mutation.name(), seed -> options(mutation, seed), seeds, enough);
      }
    }
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
    if (mutation == TreeMutation.LOSS_HIDDEN) {
      return SimulationOptions.of(3, 5, 2, SimulatedFault.parse("power,kill-all,move"));
    }
    return SimulationOptions.DEFAULT.with(
        seed % 2 == 0 ? SimulatedFault.NETWORK : SimulatedFault.PLANNED);
  }
}
