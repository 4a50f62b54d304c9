package io.canopygrid.btree.simulation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of the tree is needed: with one of them broken the simulation finds a problem, and with
 * the same seed and all rules it finds none. New seeds: {@link TreeMutationSearch}.
 */
final class TreeMutationTest {
  @ParameterizedTest
  @CsvSource({
    "SHRINK_WITHOUT_HEADER, 1, ends where the next begins",
    "MISS_NOT_VALIDATED, 0, not serializable",
    "KCL_REUSED, 6, is used again",
    "HEADER_NOT_LOCKED, 3, not serializable",
    "PAGES_AHEAD_KEPT, 172, counted",
    "HEADERS_NOT_JOINED, 2, no consistent snapshot",
    "CLOSING_IGNORED, 1, not serializable",
    "FENCE_NOT_VALIDATED, 0, not serializable",
    "CROWN_NOT_WRITTEN, 0, does not cover its own range",
    "CROWN_TOO_LOW, 1, ends where the next begins",
    "TOMBSTONES_LEFT_OUT, 0, left behind",
    "ENTRY_LOST, 0, not serializable",
    "MARKED_WITH_WRITER, 34, no consistent snapshot",
    "LEFT_WITHOUT_HEADER, 2, begins where the crown says",
    "REDIRECT_LOST, 0, liveness",
    "CROWN_KEEPS_OLD, 1, ends where the next begins",
    "MERGE_WITHOUT_CLOSING, 1, not serializable",
    "LOW_FENCE_IGNORED, 0, no consistent snapshot",
    "ORIGIN_NOT_KEPT, 1, told another clock",
    "REVERSE_SKIPS_FENCE, 2, no consistent snapshot",
    "SPLIT_NOT_VALIDATED, 1, not serializable",
    "MERGES_WHAT_IT_SPLIT, 4, come to rest",
    "DECIDES_ON_THE_PAST, 4, come to rest",
    "BACKUP_GUESSES, 58, is at no node",
    "LOSS_HIDDEN, 114, was not told of a loss",
  })
  void isCaught(TreeMutation mutation, long seed, String problem) {
    mutation.rule.requireCaught(seed, TreeMutationSearch.options(mutation, seed), problem);
  }
}
