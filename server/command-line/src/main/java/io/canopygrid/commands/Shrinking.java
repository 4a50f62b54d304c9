package io.canopygrid.commands;

import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.SimulationOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes a failing run smaller while it still fails: fewer kinds of faults, clients and
 * transactions. Each step halves, then takes one away, as long as one of the steps still fails.
 */
final class Shrinking {
  /** Runs after which it has been long enough. */
  private static final int RUNS_MAX = 400;

  private final Predicate<SimulationOptions> fails;
  private int runs;

  /**
   * Shrinks runs.
   *
   * @param fails whether a run with these options fails
   */
  Shrinking(Predicate<SimulationOptions> fails) {
    this.fails = fails;
  }

  /** The smallest options found that fail, given some that do. */
  SimulationOptions of(SimulationOptions failing) {
    SimulationOptions smallest = failing;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (SimulationOptions next : steps(smallest)) {
        if (runs < RUNS_MAX && fails(next)) {
          smallest = next;
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }

  private boolean fails(SimulationOptions options) {
    runs++;
    return fails.test(options);
  }

  private static List<SimulationOptions> steps(SimulationOptions from) {
    List<SimulationOptions> steps = new ArrayList<>();
    if (!from.faults().isEmpty()) {
      steps.add(from.with(SimulatedFault.NONE));
    }
    for (SimulatedFault fault : from.faults()) {
      Set<SimulatedFault> rest = EnumSet.noneOf(SimulatedFault.class);
      rest.addAll(from.faults());
      rest.remove(fault);
      steps.add(from.with(rest));
    }
    if (!from.reads().equals(Reads.PLAIN)) {
      steps.add(from.with(Reads.PLAIN));
    }
    for (SimulatedWork work : from.work()) {
      Set<SimulatedWork> rest = EnumSet.noneOf(SimulatedWork.class);
      rest.addAll(from.work());
      rest.remove(work);
      steps.add(from.withWork(rest));
    }
    for (int sessions : smaller(from.sessions())) {
      steps.add(from.withSessions(sessions));
    }
    for (int transactions : smaller(from.transactions())) {
      steps.add(from.withTransactions(transactions));
    }
    return steps;
  }

  private static List<Integer> smaller(int count) {
    return count < 2 ? List.of() : count < 4 ? List.of(count - 1) : List.of(count / 2, count - 1);
  }
}
