package io.canopygrid.btree.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.Watch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of the tree is needed: with one of them broken the simulation finds a problem, and with
 * the same seed and all rules it finds none. New seeds: {@link TreeMutationSearch}.
 */
final class TreeMutationTest {
  @ParameterizedTest
  @CsvSource({
    "SHRINK_WITHOUT_HEADER, 0, ends where the next begins",
    "MISS_NOT_VALIDATED, 0, not serializable",
    "KCL_REUSED, 2, scanned",
    "HEADER_NOT_LOCKED, 5, not serializable",
    "PAGES_AHEAD_KEPT, 7, counted",
    "CLOSING_IGNORED, 0, not serializable",
    "FENCE_NOT_VALIDATED, 0, not serializable",
    "CROWN_NOT_WRITTEN, 0, has no end",
    "CROWN_TOO_LOW, 1, scanned",
    "TOMBSTONES_LEFT_OUT, 0, left behind",
    "ORIGIN_NOT_KEPT, 3, told another clock",
    "REVERSE_SKIPS_FENCE, 65, no consistent snapshot",
    "SPLIT_NOT_VALIDATED, 9, twice",
  })
  void isCaught(TreeMutation mutation, long seed, String problem) {
    SimulationOptions options = TreeMutationSearch.options(seed);
    assertThat(TreeSimulation.run(seed, options, mutation.bug(), Watch.RESULT).failures())
        .as("%s: %s, seed %s, %s", mutation, mutation.what(), seed, options)
        .anySatisfy(found -> assertThat(found).contains(problem));
    assertThat(TreeSimulation.run(seed, options, Watch.RESULT).failures())
        .as("all rules, seed %s, %s", seed, options)
        .isEmpty();
  }
}
