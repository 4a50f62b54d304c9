package io.canopygrid.btree.simulation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of tables, cursors, loads, drops, states of the past, feeds, clones and global
 * transactions is needed: with one of them broken the simulation finds a problem, and with the same
 * seed and all rules it finds none. New seeds: {@link WorkMutationSearch}.
 */
final class WorkMutationTest {
  @ParameterizedTest
  @CsvSource({
    "UNIQUE_UNCHECKED, 0, 'and the rows say'",
    "ENTRIES_STAY, 0, 'and the rows say'",
    "FULL_IS_LAST, 1, 'and the rows say'",
    "FAILED_STAYS, 1, 'state=BUILDING'",
    "SCHEMA_NOT_CHECKED, 4, 'and the rows say'",
    "SCHEMA_NOT_INHERITED, 2, 'and the rows say'",
    "ENTRIES_BEFORE_MARKS, 12, 'and the rows say'",
    "MARKS_BY_CROWN_ONLY, 1244, 'and the rows say'",
    "TOKEN_REPEATS, 0, a page out of order",
    "TOKEN_SKIPS, 0, a page shows of key",
    "TOKEN_FORGETS, 15, a page of",
    "ANY_OF_THE_NAME, 4, after one of",
    "HORIZON_OVERTAKES, 10, 'versions that the snapshot needs are gone'",
    "LOAD_NOT_VALIDATED, 1, left behind",
    "ABOVE_LOST, 2, 'told committed, and is not there'",
    "COUNTS_TOO_EARLY, 0, 'and said that'",
    "FAILURE_FORGOTTEN, 1, was flushed",
    "LOST_IS_NOT_RUN, 29, said that no more are there",
    "RETRY_DROPS_NEW, 0, 'are gone, and'",
    "ENTRIES_OF_ANY_TABLE, 16, 'and its rows say'",
    "UNHEARD_IS_DROPPED, 1787, 'is gone, and has left'",
    "FORMER_UNMARKED, 83, 'and those before it into'",
    "NOT_MARKED, 10, after its drop had returned",
    "NOT_EMPTIED, 0, left behind",
    "NOT_TAKEN_AWAY, 0, something is left of dropped indexes",
    "OWN_CROWN_UNUSED, 7, UNKNOWN_INDEX",
    "PREDECESSOR_UNKNOWN, 11, 'and the commits to number'",
    "TIME_BEFORE_READS, 10, which began later",
    "SET_BACK, 1, 'and that of'",
    "ORDER_NOT_VALIDATED, 14, 'and that of'",
    "LATER_NOT_AWAITED, 1, 'and that of'",
    "DROPPED_TOO_EARLY, 20, is to be kept",
    "MARKS_NOT_MET, 2, versions that the snapshot needs are gone",
    "FEED_KNOWN_BY_NUMBER, 1, a feed tells a part of",
    "FEED_BEYOND_SNAPSHOT, 4, a feed tells a part of",
    "FEED_NOT_AWAITED, 0, a feed tells a part of",
    "FEED_HORIZON_UNSEEN, 2, 'and the copy has'",
    "FEED_CARRIED_TOLD, 0, twice",
    "FEED_PAST_UNSEEN, 385, 'and the copy has'",
    "FEED_NOT_CUT, 0, a feed tells a part of",
    "FEED_NOT_ORDERED, 1, 'out of order: it has read'",
    "FEED_NOTHING_HELD, 2, an open feed has lost changes",
    "FEED_COLD_IS_NONE, 2, 'and the copy has'",
    "FEED_POSITION_AHEAD, 0, 'out of order: it has read'",
    "CLONE_LAYER_AT_PRESENT, 0, it began with",
    "CLONE_ABSENCE_NOT_VALIDATED, 30, commits in a circle",
    "CLONE_MADE_IGNORED, 60, 'is seen, and is not in'",
    "CLONE_PINS_WITHOUT_GRACE, 41, something that is shown is gone",
    "CLONE_LAYER_MASKS_IGNORED, 23, counted 9 from 0 on",
    "CLONE_WITHOUT_MASKS, 0, 'and not null'",
    "CLONE_MASKS_END_EARLY, 41, 'and not null'",
    "CLONE_LAYERS_OUTLIVE, 2, something that is shown is gone",
    "CLONE_FLAT_TOO_EARLY, 0, 'and not null'",
    "CLONE_NOT_AFTER_ALL, 22, begins without",
    "CLONE_PIN_NOT_WRITTEN, 0, versions that the snapshot needs are gone",
    "GLOBAL_READS_NOT_HELD, 4, commits in a circle",
    "GLOBAL_LOCKS_NOT_INHERITED, 1, is held where it goes",
    "GLOBAL_LOCKS_NOT_TAKEN, 2, is held where it goes",
    "GLOBAL_READS_NOT_VALIDATED, 1, a snapshot shows a part of",
    "GLOBAL_RANGES_NOT_HELD, 4, commits in a circle",
    "GLOBAL_HELD_TWICE, 0, a snapshot shows a part of",
    "GLOBAL_DECIDED_TWICE, 1, is held where it goes",
  })
  void isCaught(WorkMutation mutation, long seed, String problem) {
    mutation.rule.requireCaught(seed, WorkMutationSearch.options(mutation, seed), problem);
  }
}
