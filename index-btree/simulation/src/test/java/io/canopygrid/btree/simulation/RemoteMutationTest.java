package io.canopygrid.btree.simulation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of the remote client is needed: with one of them broken the simulation finds a problem,
 * and with the same seed and all rules it finds none. New seeds: {@link RemoteMutationSearch}.
 */
final class RemoteMutationTest {
  @ParameterizedTest
  @CsvSource({
    "RETRY_WITHOUT_OUTCOME, 0, happened 2 times",
    "OUTCOME_OF_OTHER_NAME, 0, happened 3 times",
    "ERROR_IS_REFUSAL, 3, happened 2 times",
    "UNKNOWN_IS_NOT_COMMITTED, 8, happened 2 times",
    "FORGETS_UNANSWERED, 4, told not committed",
  })
  void isCaught(RemoteMutation mutation, long seed, String problem) {
    mutation.rule.requireCaught(seed, RemoteMutationSearch.options(seed), problem);
  }
}
