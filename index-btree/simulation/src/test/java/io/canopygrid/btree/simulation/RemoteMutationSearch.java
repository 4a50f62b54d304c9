package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.SimulationOptions;
import java.util.List;

/**
 * Looks for seeds that catch mutations of the remote client, when a change has made the old ones
 * pass: {@code RemoteMutationSearch [seeds] [found] [names…]}.
 */
final class RemoteMutationSearch {
  private RemoteMutationSearch() {}

  public static void main(String[] args) {
    int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int enough = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    for (RemoteMutation mutation : RemoteMutation.values()) {
      if (args.length <= 2 || List.of(args).contains(mutation.name())) {
        mutation.rule.search(mutation.name(), RemoteMutationSearch::options, seeds, enough);
      }
    }
  }

  /** The runs that are looked through: every other one with faults. */
  static SimulationOptions options(long seed) {
    return SimulationOptions.DEFAULT
        .with(seed % 2 == 0 ? SimulatedFault.NETWORK : SimulatedFault.ALL)
        .withSessions(2)
        .withTransactions(4)
        .withWork(SimulatedWork.parse("remote"));
  }
}
