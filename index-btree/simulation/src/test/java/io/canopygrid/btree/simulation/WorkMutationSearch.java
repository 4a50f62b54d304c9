package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.SimulationOptions;
import java.util.List;

/**
 * Looks for seeds that catch mutations of tables, cursors, loads and drops, when a change has made
 * the old ones pass: {@code WorkMutationSearch [seeds] [found] [names…]}.
 */
final class WorkMutationSearch {
  private WorkMutationSearch() {}

  public static void main(String[] args) {
    int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    int enough = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    for (WorkMutation mutation : WorkMutation.values()) {
      if (args.length <= 2 || List.of(args).contains(mutation.name())) {
        mutation.rule.search(mutation.name(), seed -> options(mutation, seed), seeds, enough);
      }
    }
  }

  /** The runs that are looked through. */
  static SimulationOptions options(WorkMutation mutation, long seed) {
    return SimulationOptions.DEFAULT
        .with(mutation.faults(seed))
        .withSessions(2)
        .withTransactions(6)
        .withWork(mutation.work);
  }
}
