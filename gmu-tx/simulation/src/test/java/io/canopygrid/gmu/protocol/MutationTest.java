package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each rule of the protocol is needed: with one of them broken the simulation finds a problem, and
 * with the same seed and all rules it finds none. New seeds: {@link MutationSearch}. The scenario
 * tests of this package have what random runs hardly reach.
 */
final class MutationTest {
  /** Mutation, seed, nodes, shards, owners, sessions, faults, what is found. */
  @ParameterizedTest
  @CsvSource({
    "NO_MERGE, 6, 4, 3, 1, 12, 'planned', saw no consistent snapshot",
    "OWN_COMPONENT, 0, 4, 5, 2, 8, 'network', saw no consistent snapshot",
    "SHOWN_NOT_JOINED, 23, 4, 2, 2, 12, 'hasty-join,move,reorder,delay', saw no consistent"
        + " snapshot",
    "WRITERS_NOT_JOINED, 9, 4, 2, 2, 12, 'move,join,reorder,delay', saw no consistent snapshot",
    "READERS_NOT_JOINED, 6, 4, 3, 1, 12, 'planned', saw no consistent snapshot",
    "READERS_WHO_WROTE_NOT_JOINED, 172, 4, 2, 2, 12, 'planned,crash,stale', saw no consistent"
        + " snapshot",
    "NO_SHARED_LOCKS, 2, 4, 5, 2, 8, 'planned', saw no consistent snapshot",
    "NO_RANGE, 2, 4, 5, 2, 8, 'planned', updates are not serializable",
    "DECIDE_ORDER, 5, 5, 5, 3, 10, 'planned,crash,stale', saw no consistent snapshot",
    "TIE_BY_ID, 156, 5, 3, 3, 12, 'two-failures,move,reorder,delay', saw no consistent snapshot",
    "REUSE_NUMBER, 9, 4, 2, 2, 12, 'move,join,reorder,delay', proposed again",
    "EARLY_EXPOSE, 45, 5, 5, 3, 10, 'planned,crash,stale', dirty read",
    "NO_BACKUP_ACK, 42, 4, 2, 2, 12, 'planned,crash,stale', was told committed",
    "NO_FLUSH, 41, 4, 2, 2, 12, 'churn,loss,delay,reorder', updates are not serializable",
    "NO_INHERIT_WAIT, 77, 5, 5, 3, 10, 'planned,crash,stale', updates are not serializable",
    "NO_EPOCH, 1, 4, 5, 2, 8, 'planned,crash,stale', a number of another epoch",
    "GC_OFF_BY_ONE, 10, 4, 5, 2, 8, 'all', updates are not serializable",
    "ONE_PHASE_PART, 32, 4, 2, 2, 12, 'move,crash,reorder,delay', disagree on the versions",
    "STATE_WITHOUT_RECORDS, 29, 5, 5, 3, 10, 'planned,crash,stale', disagree on the versions",
    "NO_LOW_MARK, 7, 3, 1, 2, 12, 'network', still busy at the time limit",
    "BEGIN_AT_TOKEN, 1, 4, 5, 2, 8, 'planned,crash,stale', snapshot too old",
    "SERIALIZABLE_UNVALIDATED, 76, 4, 2, 2, 12, 'planned,crash,stale', saw no consistent snapshot",
    "TWO_KNOW_ENOUGH, 449, 5, 3, 3, 12, 'two-failures,move,reorder,delay', dirty read",
    "COMMITTED_UNHEARD, 67, 4, 2, 2, 12, 'planned,crash,stale', was told committed",
    "ORPHANS_AT_ONCE, 32, 4, 2, 2, 12, 'move,crash,reorder,delay', not atomic",
    "FLUSH_WITHOUT_HORIZON, 86, 5, 1, 3, 12, 'two-failures,partition,pause,planned', snapshot too old",
    "READY_DROPPED, 1, 4, 2, 2, 12, 'move,join,reorder,delay', disagree on the versions",
    "GAP_UNNOTICED, 52, 4, 5, 2, 8, 'all', disagree on the versions",
    "STATE_HIDES_KEPT_BACK, 425, 5, 5, 3, 10, 'planned,crash,stale', disagree",
    "ORPHANS_KEPT_BACK, 114, 5, 5, 3, 10, 'crash,pause,move', disagree on the versions",
    "MARK_TOO_HIGH, 0, 4, 2, 2, 12, 'crash,move,reorder,delay', never ended",
    "HORIZON_OVERTAKES, 1, 4, 5, 2, 8, 'planned,crash,stale', snapshot too old",
    "PREPARE_RETARGETED, 10, 4, 5, 2, 8, 'all', asked for a shard that is not here",
    "DONE_WHEN_KNOWN, 12, 5, 3, 3, 12, 'two-failures,move,reorder,delay', still busy at the time"
        + " limit",
    "DONE_WHEN_KNOWN, 6, 5, 3, 3, 12, 'move,reorder,delay', the first read of",
    "GIVEN_UP_ANYWAY, 10, 4, 5, 2, 8, 'all', is being committed already",
    "NO_SECOND_READ, 0, 4, 2, 2, 8, 'loss,reorder', still busy at the time limit",
    "NO_SECOND_PREPARE, 0, 4, 2, 2, 8, 'loss,reorder', still busy at the time limit",
    "NO_SECOND_DECISION, 0, 4, 2, 2, 8, 'loss,reorder', still busy at the time limit",
    "NO_SECOND_STATE, 0, 4, 2, 2, 8, 'move,join,loss,reorder', a hand-over that never ends",
    "NO_SECOND_FLUSH, 17, 4, 2, 2, 8, 'loss,reorder', never ended",
    "PIN_UNREPORTED, 1, 4, 5, 2, 8, 'network', snapshot too old",
    "PIN_NOT_CARRIED_OVER, 6, 4, 3, 1, 12, 'planned', snapshot too old",
    "NEAREST_WITH_GAPS, 7, 3, 1, 2, 12, 'network', saw no consistent snapshot",
    "COUNTER_RUNS_OVER, 9, 4, 2, 2, 12, 'move,join,reorder,delay', a number of another epoch",
    "PARALLEL_READS_KEPT, 2, 4, 5, 2, 8, 'planned', saw no consistent snapshot",
    "PARALLEL_READ_TOO_NEW, 2, 4, 5, 2, 8, 'planned', saw no consistent snapshot",
    "PARALLEL_READ_TOO_OLD, 8, 4, 2, 2, 12, 'move,crash,reorder,delay', saw no consistent snapshot",
    "DELEGATE_ANSWERS_EARLY, 2, 4, 5, 2, 8, 'planned', was told committed",
    "DELEGATE_ANSWERS_EARLY, 5, 5, 5, 3, 10, 'planned,crash,stale', the first read of",
    "DELEGATE_JUDGES_AGAIN, 17, 4, 2, 2, 8, 'loss,reorder', never ended",
    "DELEGATION_OUTLIVES, 131, 4, 2, 2, 12, 'move,join,skip,loss,reorder,delay', left over",
    "DELEGATION_FORGOTTEN, 8, 4, 2, 2, 12, 'move,crash,reorder,delay', was told aborted",
    "COMPLETE_WHEN_DECIDED, 7, 3, 1, 2, 12, 'network', saw no consistent snapshot",
    "WATERMARK_TOO_HIGH, 7, 3, 1, 2, 12, 'network', saw no consistent snapshot",
    "CLOCK_NOT_HEARD, 94, 4, 5, 2, 8, 'all', decided above every number given",
    "CLOCK_NOT_SETTLED, 31, 4, 5, 2, 8, 'all', still busy at the time limit",
    "EMPTY_COPY_SERVES, 23, 4, 2, 2, 12, 'hasty-join,move,reorder,delay', still busy at the time limit",
    "TURN_WITHOUT_BOUND, 0, 4, 5, 2, 8, 'network', still busy at the time limit",
    "OLD_READS_ON, 18, 4, 2, 2, 12, 'long-readers,network', which has run for too long",
    "OLD_READS_ON, 19, 4, 5, 2, 8, 'long-readers,planned,crash,stale', has run for too long",
    "OLD_TAKES_ANSWERS, 18, 4, 2, 2, 12, 'long-readers,network', which is too old",
    "OLD_TAKES_ANSWERS, 41, 4, 2, 2, 12, 'long-readers,network', which is too old",
    "OLD_COMMITS, 18, 4, 2, 2, 12, 'long-readers,network', 'too old, and committed'",
    "OLD_COMMITS, 65, 4, 5, 2, 8, 'long-readers,planned,crash,stale', 'too old, and committed'",
    "ASKED_WITHOUT_SHARD, 4, 4, 2, 2, 12, 'planned,crash,stale', than the session had seen",
    "ASKED_WITHOUT_READ, 0, 4, 5, 2, 8, 'network', saw no consistent snapshot",
    "ANSWERED_BEYOND_FLOOR, 110, 5, 1, 3, 12, 'two-failures,partition,pause,planned', saw no"
        + " consistent snapshot",
    "COMMITTED_BEYOND_OWN, 125, 5, 5, 3, 10, 'planned,crash,stale', updates are not serializable",
    "HOT_TOO_OLD, 156, 5, 3, 3, 12, 'two-failures,move,reorder,delay', saw no consistent snapshot",
    "HOT_NOT_FIXED, 7, 3, 1, 2, 12, 'network', saw no consistent snapshot",
    "HOT_CLOCK_LOST, 32, 4, 2, 2, 12, 'move,crash,reorder,delay', saw no consistent snapshot",
    "HOT_GAP, 35, 4, 2, 2, 12, 'move,join,skip,loss,reorder,delay', a hot copy of",
    "HOT_NEWEST_ONLY, 31, 3, 1, 2, 12, 'network', a hot copy of",
    "HOT_W_OF_QUEUE, 0, 4, 5, 2, 8, 'network', a hot copy of",
    "HOT_OF_OLD_TERM, 12, 5, 3, 3, 12, 'two-failures,move,reorder,delay', a hot copy of",
    "FOLLOWED_CLOCK_LOST, 60, 5, 3, 3, 12, 'two-failures,move,reorder,delay', saw no consistent"
        + " snapshot",
    "FOLLOWS_UNDECIDED, 10, 4, 5, 2, 8, 'all', updates are not serializable",
    "NOTHING_RELIED_ON, 6, 4, 2, 2, 12, 'kill-all,reorder,delay', was told committed",
    "VOTE_BEFORE_STORED, 52, 4, 2, 2, 12, 'kill-all,disk-loss,reorder,delay', disagree on the versions",
    "ACK_BEFORE_STORED, 20, 3, 1, 2, 12, 'kill-all,move,join,reorder', the first read of",
    "DONE_BEFORE_STORED, 3588, 4, 2, 2, 12, 'kill-all,reorder,delay', disagree on the versions",
    "SYNCED_BEFORE_STORED, 689, 4, 3, 1, 12, 'kill-all,planned', cannot be founded",
    "SEEN_BEFORE_STORED, 170, 3, 1, 2, 12, 'kill-all,move,join,reorder', was told committed",
    "DECISIONS_NOT_TOLD, 9, 5, 5, 3, 10, 'kill-all,all', left over",
    "IN_DOUBT_FORGOTTEN, 0, 4, 2, 2, 12, 'kill-all,reorder,delay', left over",
    "STALE_DISK_WINS, 4, 4, 2, 2, 12, 'kill-all,disk-loss,reorder,delay', disagree on the versions",
    "DECIDED_SEEN_AT_ONCE, 7, 4, 5, 2, 8, 'kill-all,planned,crash,stale', not atomic",
    "EVICTED_UNREADABLE, 8, 4, 2, 2, 12, 'evict,reorder,delay', the disk lacks a value",
    "WARMED_ANYWAY, 1131, 4, 1, 3, 12, 'evict,restart', not the value of",
    "COLD_NOT_SENT, 7, 4, 1, 3, 12, 'evict,restart', disagree on the value",
    "CLOSED_SERVES, 0, 4, 2, 2, 12, 'open-late,kill-all,reorder,delay', saw no consistent snapshot",
    "CLOSED_READ, 56, 3, 2, 2, 12, 'open-late,kill-all,move,join', saw no consistent snapshot",
    "CLOSED_PRUNED, 6, 3, 2, 2, 12, 'open-late,kill-all,move,join', 'dropped, and never put'",
    "STORED_OVER_NEWER, 6, 3, 2, 2, 12, 'open-late,kill-all,move,join', does not have what the node has",
    "OPENED_FOR_ANOTHER, 9, 3, 1, 2, 12, 'open-late,kill-all,evict', asked for a shard that is not here",
    "CHANGES_WITHOUT_REMOVALS, 7, 4, 1, 3, 12, 'restart', disagree on the value",
    "CHANGES_KEEP_UNDONE, 7230, 5, 2, 3, 10, 'restart,all', disagree on the versions",
    "WATERMARK_OF_APPLIED, 475, 4, 1, 3, 12, 'restart', saw no consistent snapshot",
    "REMOVALS_FORGOTTEN, 5321, 4, 2, 2, 12, 'restart,reorder,delay', disagree on the value",
    "POWER_CUT_UNNOTICED, 14, 4, 1, 3, 6, 'power,kill-all,delay', was told committed",
    "CUT_BY_OWN_COMPONENT, 21, 4, 2, 2, 12, 'power,kill-all,reorder,delay', 'above a cut, and there'",
    "CUT_FORGETS_CUT, 72, 3, 2, 2, 2, 'power,kill-all', told of a loss in vain",
    "CUT_KEEPS_DECISIONS, 8, 3, 2, 2, 12, 'power,kill-all,move,join', 'above a cut, and there'",
    "HORIZON_ABOVE_FORCED, 308, 3, 2, 2, 12, 'power,kill-all,move,join', cannot be founded",
    "OWNER_BEFORE_FORCED, 103, 3, 5, 2, 12, 'power,kill-all,delay', told of a loss in vain",
    "STALE_COPY_KEEPS_CUT, 2827, 4, 5, 2, 8, 'power,kill-all,planned,crash', disagree on the versions",
    "LOSS_NOT_TOLD, 6, 4, 2, 2, 12, 'power,kill-all,reorder,delay', was not told",
    "LOSS_TOLD_IN_VAIN, 10, 4, 2, 2, 12, 'power,kill-all', told of a loss in vain"
  })
  void isCaught(
      Mutation mutation,
      long seed,
      int nodes,
      int shards,
      int owners,
      int sessions,
      String faults,
      String problem) {
    SimulationOptions options =
        mutation.options(MutationSearch.options(nodes, shards, owners, sessions, faults));
    assertThat(mutation.during(() -> Simulation.run(seed, options)).failures())
        .as("%s: %s, seed %s, %s", mutation, mutation.what(), seed, options)
        .anySatisfy(found -> assertThat(found).contains(problem));
    assertThat(Simulation.run(seed, options).failures())
        .as("all rules, seed %s, %s", seed, options)
        .isEmpty();
  }
}
