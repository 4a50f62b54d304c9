package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for seeds that catch mutations of named commits and functions, when a change has made the
 * old ones pass: {@code CallMutationSearch [seeds] [found] [names…]}.
 */
final class CallMutationSearch {
  private CallMutationSearch() {}

  public static void main(String[] args) {
    int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int enough = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    for (CallMutation mutation : CallMutation.values()) {
      if (args.length <= 2 || List.of(args).contains(mutation.name())) {
        System.out.println(mutation + ": " + mutation.what());
        mutation.during(() -> caught(mutation, seeds, enough)).forEach(System.out::println);
      }
    }
  }

  private static List<String> caught(CallMutation mutation, int seeds, int enough) {
    List<String> caught = new ArrayList<>();
    for (long seed = 0; seed < seeds && caught.size() < enough; seed++) {
      SimulationResult result =
          TreeSimulation.run(seed, options(seed), mutation.bug(), Watch.RESULT);
      if (result.failed()) {
        caught.add("   seed " + seed + ": " + result.failures().get(0));
      }
    }
    return caught;
  }

  /** The runs that are looked through: every other one with faults. */
  static SimulationOptions options(long seed) {
    return SimulationOptions.DEFAULT
        .with(seed % 2 == 0 ? SimulatedFault.NETWORK : SimulatedFault.ALL)
        .withSessions(2)
        .withTransactions(4)
        .withWork(SimulatedWork.parse("commits,functions"));
  }
}
