package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationOptions.Faults;
import java.util.ArrayList;
import java.util.List;

final class FindMutations {
  public static void main(String[] args) {
    int seeds = Integer.parseInt(args[0]);
    for (Mutation m : Mutation.values()) {
      if (args.length > 1 && !List.of(args).contains(m.name())) {
        continue;
      }
      int hits = 0;
      List<String> found = new ArrayList<>();
      for (int seed = 0; seed < seeds && found.size() < 4; seed++) {
        Faults level = Faults.values()[seed % 3];
        List<String> problems;
        try {
          problems =
              new Simulation(seed, SimulationOptions.DEFAULT.with(level), m.nodes(), false).run();
        } catch (RuntimeException e) {
          problems = List.of("crash: " + e);
        }
        if (!problems.isEmpty()) {
          String p = problems.get(0);
          found.add(seed + " " + level + ": " + p.substring(0, Math.min(110, p.length())));
        }
      }
      System.out.println((found.isEmpty() ? "MISSED " : "caught ") + m);
      found.forEach(f -> System.out.println("     " + f));
    }
  }
}
