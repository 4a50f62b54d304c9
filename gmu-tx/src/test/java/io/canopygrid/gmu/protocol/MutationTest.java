package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.simulation.NodeFactory;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of the protocol is needed: with it broken, the named seed ends in a problem that the
 * simulation's checker reports, and with it intact the same seed is clean. {@link MutationSearch}
 * finds other seeds when a change of the simulation has made these pass.
 */
final class MutationTest {
  @ParameterizedTest(name = "{0} is caught by seed {1}")
  @CsvSource({
    "NO_MERGE, 39",
    "OWN_COMPONENT, 66",
    "NO_SHARED_LOCKS, 0",
    "NO_RANGE, 3",
    "DECIDE_ORDER, 21",
    "TIE_BY_ID, 87",
    "REUSE_NUMBER, 6",
    "EARLY_EXPOSE, 35",
    "NO_BACKUP_ACK, 11",
    "NO_FLUSH, 20",
    "NO_INHERIT_WAIT, 22",
    "NO_EPOCH, 1",
    "GC_OFF_BY_ONE, 19",
    "ONE_PHASE_PART, 17",
    "STATE_WITHOUT_RECORDS, 367",
  })
  void aBrokenRuleIsNoticed(Mutation mutation, long seed) {
    SimulationOptions options = MutationSearch.options(seed);

    assertThat(new Simulation(seed, options, NodeFactory.REAL, false).run())
        .as("the intact protocol, seed %d, %s", seed, options)
        .isEmpty();
    assertThat(MutationSearch.run(mutation, seed, options))
        .as("%s, seed %d, %s", mutation.what(), seed, options)
        .isNotEmpty();
  }
}
