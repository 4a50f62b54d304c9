package io.canopygrid.btree.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A rule that is broken on purpose, to prove that the simulation of the tree notices.
 *
 * @param what is wrong, for people
 * @param bug in what the tree sees
 * @param replaced the methods that are replaced
 */
record BrokenRule(String what, TreeBug bug, List<Replacement> replaced) {
  static BrokenRule of(String what, TreeBug bug) {
    return new BrokenRule(what, bug, List.of());
  }

  static BrokenRule of(String what, Replacement... replaced) {
    return new BrokenRule(what, TreeBug.NONE, List.of(replaced));
  }

  /** Fails unless the run with the broken rule finds the problem, and that with all rules none. */
  void requireCaught(long seed, SimulationOptions options, String problem) {
    SimulationResult broken =
        Replacement.during(replaced, () -> TreeSimulation.run(seed, options, bug, Watch.RESULT));
    Replacement.requireCalled(replaced);
    assertThat(broken.failures())
        .as("%s, seed %s, %s", what, seed, options)
        .anySatisfy(found -> assertThat(found).contains(problem));
    assertThat(TreeSimulation.run(seed, options, Watch.RESULT).failures())
        .as("all rules, seed %s, %s", seed, options)
        .isEmpty();
  }

  /**
   * Prints the rule, and the first seeds that catch it.
   *
   * @param enough how many
   */
  void search(String name, LongFunction<SimulationOptions> options, int seeds, int enough) {
    System.out.println(name + ": " + what);
    Replacement.during(replaced, () -> caught(options, seeds, enough)).forEach(System.out::println);
  }

  private List<String> caught(LongFunction<SimulationOptions> options, int seeds, int enough) {
    List<String> caught = new ArrayList<>();
    for (long seed = 0; seed < seeds && caught.size() < enough; seed++) {
      SimulationResult result = TreeSimulation.run(seed, options.apply(seed), bug, Watch.RESULT);
      if (result.failed()) {
        caught.add("   seed " + seed + ": " + result.failures().get(0));
      }
    }
    return caught;
  }
}
