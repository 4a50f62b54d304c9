package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationOptions.Faults;
import java.util.List;

/**
 * Looks for seeds that catch mutations, for the mutation tests, when a change of the protocol or of
 * the simulation has made the old ones pass: {@code MutationSearch [seeds] [found] [names…]}.
 */
final class MutationSearch {
  private static final List<SimulationOptions> SHAPES =
      List.of(
          SimulationOptions.DEFAULT,
          SimulationOptions.of(3, 1, 2, Faults.NONE).withSessions(12),
          SimulationOptions.of(4, 2, 2, Faults.NONE).withSessions(12),
          SimulationOptions.of(5, 5, 3, Faults.NONE),
          SimulationOptions.of(4, 3, 1, Faults.NONE).withSessions(12));

  private MutationSearch() {}

  public static void main(String[] args) {
    int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
    int enough = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    for (Mutation mutation : Mutation.values()) {
      if (args.length <= 2 || List.of(args).contains(mutation.name())) {
        search(mutation, seeds, enough);
      }
    }
  }

  private static void search(Mutation mutation, int seeds, int enough) {
    System.out.println(mutation + ": " + mutation.what());
    int found = 0;
    for (long seed = 0; seed < seeds && found < enough; seed++) {
      SimulationOptions options = options(seed);
      List<String> problems = run(mutation, seed, options);
      if (!problems.isEmpty()) {
        found++;
        System.out.println("   seed " + seed + " " + options + ": " + problems.get(0));
      }
    }
  }

  /** The runs that are looked through: all shapes, with and without faults. */
  static SimulationOptions options(long seed) {
    SimulationOptions shape = SHAPES.get((int) (seed / 3 % SHAPES.size()));
    // With one owner a failure loses data.
    Faults faults = Faults.values()[(int) (seed % (shape.owners() == 1 ? 2 : 3))];
    return shape.with(faults);
  }

  /** What goes wrong in a run with a broken rule, which may break assumptions too. */
  static List<String> run(Mutation mutation, long seed, SimulationOptions options) {
    try {
      return new Simulation(seed, options, mutation.nodes(), false).run();
    } catch (InvariantViolation e) {
      return List.of("invariant: " + e.getMessage());
    }
  }
}
