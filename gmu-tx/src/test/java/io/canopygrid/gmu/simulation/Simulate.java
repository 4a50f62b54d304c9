package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.simulation.SimulationOptions.Faults;
import java.util.List;
import java.util.Locale;

/**
 * Runs simulations from the command line: {@code Simulate [seeds] [first] [none|planned|all]
 * [nodes] [shards] [owners] [sessions]}. Exit code 1 if one failed. With one seed and {@code -v} at
 * the end every event is printed.
 */
public final class Simulate {
  private Simulate() {}

  public static void main(String[] args) {
    boolean printed = args.length > 0 && args[args.length - 1].equals("-v");
    int seeds = (int) number(args, 0, 1_000);
    long first = number(args, 1, 0);
    Faults faults =
        args.length > 2 ? Faults.valueOf(args[2].toUpperCase(Locale.ROOT)) : Faults.NONE;
    int nodes = (int) number(args, 3, 4);
    SimulationOptions options =
        SimulationOptions.of(nodes, (int) number(args, 4, 5), (int) number(args, 5, 2), faults)
            .withSessions((int) number(args, 6, 2 * nodes));
    long began = System.nanoTime();
    int failed = 0;
    long committed = 0;
    long aborted = 0;
    long topologies = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      Simulation run = new Simulation(seed, options, NodeFactory.REAL, printed);
      List<String> problems;
      try {
        problems = run.run();
      } catch (RuntimeException e) {
        throw new IllegalStateException("seed " + seed, e);
      }
      committed += run.committed();
      aborted += run.aborted();
      topologies += run.topologies();
      if (!problems.isEmpty()) {
        failed++;
        System.out.println("seed " + seed + ":");
        problems.stream().limit(4).forEach(p -> System.out.println("   " + p));
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "seeds=%d failed=%d seconds=%.1f seeds_per_s=%.0f committed=%d aborted=%d topologies=%d%n",
        seeds,
        failed,
        seconds,
        seeds / seconds,
        committed,
        aborted,
        topologies);
    if (failed > 0) {
      System.exit(1);
    }
  }

  private static long number(String[] args, int index, long otherwise) {
    return index < args.length && !args[index].equals("-v")
        ? Long.parseLong(args[index])
        : otherwise;
  }
}
