package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Looks for seeds that catch mutations, for the mutation tests, when a change of the protocol or of
 * the simulation has made the old ones pass: {@code MutationSearch [seeds] [found] [names…]}. It
 * prints the lines that {@link MutationTest} has.
 */
final class MutationSearch {
  /** Nodes, shards, owners, sessions, and faults that a grid of this size should stand. */
  private record Shape(int nodes, int shards, int owners, int sessions, String faults) {
    SimulationOptions options() {
      return MutationSearch.options(nodes, shards, owners, sessions, faults);
    }
  }

  private static final List<Shape> SHAPES =
      List.of(
          new Shape(4, 5, 2, 8, "network"),
          new Shape(4, 5, 2, 8, "planned,crash,stale"),
          new Shape(4, 5, 2, 8, "planned"),
          new Shape(3, 1, 2, 12, "planned,crash,stale"),
          new Shape(4, 2, 2, 12, "planned,crash,stale"),
          new Shape(5, 5, 3, 10, "planned,crash,stale"),
          new Shape(4, 3, 1, 12, "planned"),
          new Shape(3, 1, 2, 12, "network"),
          new Shape(4, 2, 2, 12, "move,crash,reorder,delay"),
          new Shape(4, 2, 2, 12, "move,join,reorder,delay"),
          new Shape(4, 5, 2, 8, "all"),
          new Shape(4, 2, 2, 12, "move,join,skip,loss,reorder,delay"),
          new Shape(5, 3, 3, 12, "two-failures,move,reorder,delay"),
          new Shape(5, 5, 3, 10, "two-failures,partition,planned"),
          new Shape(5, 1, 3, 12, "two-failures,partition,pause,planned"),
          new Shape(5, 5, 3, 10, "all"),
          new Shape(4, 2, 2, 8, "give-up,reorder"),
          new Shape(4, 2, 2, 8, "loss,reorder"),
          new Shape(4, 2, 2, 12, "long-readers,network"),
          new Shape(4, 5, 2, 8, "long-readers,planned,crash,stale"),
          new Shape(4, 2, 2, 8, "move,join,loss,reorder"),
          new Shape(4, 5, 2, 8, "churn,pause,delay,reorder"),
          new Shape(4, 2, 2, 12, "churn,loss,delay,reorder"),
          new Shape(4, 2, 2, 12, "hasty-join,move,reorder,delay"),
          new Shape(4, 2, 2, 12, "kill-all,reorder,delay"),
          new Shape(4, 5, 2, 8, "kill-all,planned,crash,stale"),
          new Shape(3, 1, 2, 12, "kill-all,move,join,reorder"),
          new Shape(5, 5, 3, 10, "kill-all,all"),
          new Shape(4, 2, 2, 12, "kill-all,disk-loss,reorder,delay"),
          new Shape(4, 3, 1, 12, "kill-all,planned"),
          new Shape(4, 2, 2, 12, "kill-all,restart,reorder,delay"),
          new Shape(4, 1, 3, 12, "restart"),
          new Shape(3, 2, 2, 12, "restart,move"),
          new Shape(4, 2, 2, 12, "restart,reorder,delay"),
          new Shape(4, 5, 2, 8, "kill-all,disk-loss,without,restart"),
          new Shape(4, 2, 2, 12, "restart,stale,partition,pause,join"),
          new Shape(4, 3, 1, 12, "restart,stale,pause,move"),
          new Shape(3, 2, 2, 12, "kill-all,without,stale,restart,join"),
          new Shape(5, 2, 3, 10, "restart,all"),
          new Shape(5, 2, 3, 10, "kill-all,restart,planned,crash,stale"),
          new Shape(4, 2, 2, 12, "power,kill-all,reorder,delay"),
          new Shape(4, 5, 2, 8, "power,kill-all,planned,crash"),
          new Shape(3, 2, 2, 12, "power,kill-all,move,join"),
          new Shape(5, 2, 3, 10, "power,kill-all,restart,all"),
          new Shape(4, 2, 2, 12, "power,kill-all"),
          new Shape(4, 3, 2, 12, "power,kill-all,churn,disk-loss"),
          new Shape(3, 2, 2, 2, "power,kill-all"),
          new Shape(3, 5, 2, 12, "power,kill-all,delay"),
          new Shape(4, 1, 3, 6, "power,kill-all,delay"),
          new Shape(4, 2, 2, 12, "evict,reorder,delay"),
          new Shape(4, 2, 2, 12, "evict,move,join,reorder,delay"),
          new Shape(3, 2, 2, 12, "evict,kill-all,move,delay"),
          new Shape(4, 1, 3, 12, "evict,restart"),
          new Shape(4, 2, 2, 12, "open-late,kill-all,reorder,delay"),
          new Shape(3, 2, 2, 12, "open-late,kill-all,move,join"),
          new Shape(4, 2, 2, 12, "open-late,kill-all,restart,churn"),
          new Shape(3, 1, 2, 12, "open-late,kill-all"),
          new Shape(3, 1, 2, 12, "open-late,kill-all,evict"));

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
    System.out.println("// " + mutation + ": " + mutation.what());
    for (Caught caught : mutation.during(() -> caught(mutation, seeds, enough))) {
      if (!Simulation.run(caught.seed, mutation.options(caught.shape.options())).failed()) {
        System.out.println(caught.line(mutation));
      }
    }
  }

  /** A seed that notices, and what it finds. */
  private record Caught(long seed, Shape shape, String problem) {
    String line(Mutation mutation) {
      return String.format(
          Locale.ROOT,
          "\"%s, %d, %d, %d, %d, %d, '%s', %s\",",
          mutation,
          seed,
          shape.nodes,
          shape.shards,
          shape.owners,
          shape.sessions,
          shape.faults,
          problem);
    }
  }

  /** Whether a grid has the faults that a mutation needs, and few others. */
  private static boolean fits(Shape shape, Mutation mutation) {
    String faults = shape.faults;
    if (faults.contains("open-late") || mutation.isOfClosedCopies()) {
      return faults.contains("open-late") && mutation.isOfClosedCopies();
    }
    if (faults.contains("evict") || mutation.isOfEviction()) {
      return faults.contains("evict") && mutation.isOfEviction();
    }
    if (faults.contains("power")) {
      return mutation.isOfPowerCuts();
    }
    if (faults.contains("restart")) {
      return mutation.isOfReturns();
    }
    return faults.contains("kill-all") == mutation.isOfDisks();
  }

  private static List<Caught> caught(Mutation mutation, int seeds, int enough) {
    List<Caught> caught = new ArrayList<>();
    List<Shape> shapes = SHAPES.stream().filter(shape -> fits(shape, mutation)).toList();
    for (long seed = 0; seed < seeds && caught.size() < enough; seed++) {
      Shape shape = shapes.get((int) (seed % shapes.size()));
      SimulationResult result = Simulation.run(seed, mutation.options(shape.options()));
      if (result.failed()) {
        caught.add(new Caught(seed, shape, result.failures().get(0)));
      }
    }
    return caught;
  }

  static SimulationOptions options(int nodes, int shards, int owners, int sessions, String faults) {
    return SimulationOptions.of(nodes, shards, owners, SimulatedFault.parse(faults))
        .withSessions(sessions);
  }
}
