package io.canopygrid.btree.simulation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of named commits, of their ledger and of functions between nodes is needed: with one of
 * them broken the simulation finds a problem, and with the same seed and all rules it finds none.
 * New seeds: {@link CallMutationSearch}.
 */
final class CallMutationTest {
  @ParameterizedTest
  @CsvSource({
    "RECORD_NOT_VALIDATED, 0, told not committed",
    "RECORD_NOT_WRITTEN, 0, told not committed",
    "NOT_PREVENTED, 0, told not committed",
    "RECORD_APART, 0, 'told committed, and is not there'",
    "SWEPT_WITHOUT_HEADER, 0, told not committed",
    "SWEPT_BY_WALL_CLOCK, 29, nobody can tell",
    "TIME_OF_WALL_CLOCK, 35, nobody can tell",
    "FAILED_LOOK_UP_TELLS, 3, told not committed",
    "OLD_NAME_TELLS, 8, told not committed",
    "CALL_LEFT_OPEN, 0, left open",
    "SECOND_RESULT, 0, several results",
    "LOST_IS_NOT_RUN, 5, told not committed",
    "ONE_NAME, 4, 'told committed, and is not there'",
    "SILENT_IS_IDLE, 49, a node without a report",
  })
  void isCaught(CallMutation mutation, long seed, String problem) {
    mutation.rule.requireCaught(seed, CallMutationSearch.options(seed), problem);
  }
}
