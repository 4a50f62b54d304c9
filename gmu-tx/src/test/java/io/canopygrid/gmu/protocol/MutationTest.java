package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.simulation.NodeFactory;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of the protocol is needed: with one of them broken the simulation finds a problem, and
 * with the same seed and all rules it finds none. New seeds: {@link MutationSearch}.
 */
final class MutationTest {
  @ParameterizedTest
  @CsvSource({
    "NO_MERGE, 26, saw no consistent snapshot",
    "OWN_COMPONENT, 43, saw no consistent snapshot",
    "NO_SHARED_LOCKS, 0, updates are not serializable",
    "NO_RANGE, 1, updates are not serializable",
    "DECIDE_ORDER, 21, saw no consistent snapshot",
    "TIE_BY_ID, 87, saw no consistent snapshot",
    "REUSE_NUMBER, 5, a number that was used",
    "EARLY_EXPOSE, 35, dirty read",
    "NO_BACKUP_ACK, 11, was told committed",
    "NO_FLUSH, 20, saw no consistent snapshot",
    "NO_INHERIT_WAIT, 22, updates are not serializable",
    "NO_EPOCH, 1, a number that was used",
    "GC_OFF_BY_ONE, 19, saw no consistent snapshot",
    "ONE_PHASE_PART, 182, dirty read",
    "STATE_WITHOUT_RECORDS, 367, updates are not serializable",
  })
  void isCaught(Mutation mutation, long seed, String problem) {
    SimulationOptions options = MutationSearch.options(seed);
    assertThat(MutationSearch.run(mutation, seed, options))
        .as("%s: %s, seed %s, %s", mutation, mutation.what(), seed, options)
        .anySatisfy(found -> assertThat(found).contains(problem));
    assertThat(new Simulation(seed, options, NodeFactory.REAL, false).run())
        .as("all rules, seed %s, %s", seed, options)
        .isEqualTo(List.of());
  }
}
