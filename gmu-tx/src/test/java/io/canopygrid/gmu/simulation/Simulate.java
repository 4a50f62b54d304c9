package io.canopygrid.gmu.simulation;

import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs simulations from the command line: {@code Simulate [seeds] [first] [faults] [nodes] [shards]
 * [owners] [sessions]}. Exit code 1 if one failed. With {@code -v} at the end every event is
 * printed.
 */
public final class Simulate {
  private Simulate() {}

  public static void main(String[] args) {
    boolean printed = args.length > 0 && args[args.length - 1].equals("-v");
    int seeds = (int) number(args, 0, 1_000);
    long first = number(args, 1, 0);
    Set<Fault> faults = Fault.parse(args.length > 2 ? args[2] : "all");
    int nodes = (int) number(args, 3, 4);
    SimulationOptions options =
        SimulationOptions.of(nodes, (int) number(args, 4, 5), (int) number(args, 5, 2), faults)
            .withSessions((int) number(args, 6, 2L * nodes));
    long began = System.nanoTime();
    int failed = 0;
    TreeMap<String, Long> counters = new TreeMap<>();
    for (long seed = first; seed < first + seeds; seed++) {
      SimulationResult result = Simulation.run(seed, options, NodeFactory.REAL, printed);
      result.counters().forEach((what, times) -> counters.merge(what, times, Long::sum));
      result.trace().forEach(System.out::println);
      if (result.failed()) {
        failed++;
        System.out.println("seed " + seed + ":");
        result.failures().stream().limit(4).forEach(p -> System.out.println("   " + p));
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "seeds=%d failed=%d seconds=%.1f seeds_per_s=%.0f %s%n",
        seeds,
        failed,
        seconds,
        seeds / seconds,
        counters);
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
