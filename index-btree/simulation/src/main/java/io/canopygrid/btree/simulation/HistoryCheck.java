package io.canopygrid.btree.simulation;

import io.canopygrid.btree.simulation.Attempt.Kind;
import io.canopygrid.btree.simulation.Attempt.Status;
import io.canopygrid.clock.VectorClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether what all attempts of a run saw is what extended update serializability allows.
 *
 * <p>Of two committed updates that depend on each other the earlier one has the lower commit clock,
 * in all components. So an order of their clocks by components is a serial order, if there is one
 * at all: a plain map that runs the updates in that order has to show each of them what it saw. A
 * transaction that has not committed, or only read, has to have seen some set of updates that is
 * closed under dependency ({@link SnapshotCheck}).
 */
final class HistoryCheck {
  private final List<Attempt> attempts;
  private final List<Attempt> all;
  private final CommitRecorder recorder;
  private final List<String> problems;
  private final Map<Attempt, VectorClock> clocks = new HashMap<>();

  /**
   * Decides nothing yet.
   *
   * @param all also those that a cut has taken
   */
  HistoryCheck(
      List<Attempt> attempts, List<Attempt> all, CommitRecorder recorder, List<String> problems) {
    this.attempts = attempts;
    this.all = all;
    this.recorder = recorder;
    this.problems = problems;
  }

  void check() {
    attempts.forEach(this::checkEnd);
    List<Attempt> serial = serialOrder();
    checkSerial(serial);
    new SnapshotCheck(attempts, serial, problems).check();
    new AbortCheck(attempts, all, serial, problems).check();
  }

  private void checkEnd(Attempt attempt) {
    if (attempt.ended < 0) {
      problems.add("liveness: " + attempt + " never ended");
    }
    VectorClock there = recorder.clockOf(attempt);
    boolean committed = attempt.status == Status.COMMITTED;
    if (attempt.kind == Kind.READ_ONLY) {
      if (attempt.status == Status.ABORTED && attempt.error != null && !isOfTheNode(attempt)) {
        problems.add("a read-only transaction aborted: " + attempt.story());
      }
      return;
    }
    if (there == null && committed && attempt.kind == Kind.UPDATE) {
      problems.add("lost: nothing of " + attempt.story());
    }
    if (there != null && attempt.status == Status.ABORTED) {
      problems.add("told aborted, yet it is there: " + attempt.story());
    }
    if (there != null && attempt.clock != null && !there.equals(attempt.clock)) {
      problems.add("told another clock than that of its versions: " + attempt.story());
    }
    VectorClock clock = there != null ? there : committed ? attempt.clock : null;
    if (clock != null) {
      clocks.put(attempt, clock);
    }
  }

  /** Its node ended, or cannot reach the others. */
  private static boolean isOfTheNode(Attempt attempt) {
    return "CANOPY_CLOSED".equals(attempt.error)
        || "SHARD_UNAVAILABLE".equals(attempt.error)
        || "TIMEOUT".equals(attempt.error);
  }

  /** Validated attempts by their clocks; of equal clocks those that write come first. */
  List<Attempt> serialOrder() {
    List<Attempt> serial = new ArrayList<>(clocks.keySet());
    serial.sort(
        Comparator.<Attempt, VectorClock>comparing(a -> clock(a), HistoryCheck::compare)
            .thenComparing(a -> a.writes.isEmpty())
            .thenComparingLong(a -> a.number));
    return serial;
  }

  private VectorClock clock(Attempt attempt) {
    @Nullable VectorClock clock = clocks.get(attempt);
    return clock == null ? VectorClock.ZERO : clock;
  }

  /** The order of clocks by components. */
  static int compare(VectorClock a, VectorClock b) {
    int last = Math.max(lastShard(a), lastShard(b));
    for (int shard = 0; shard <= last; shard++) {
      int order = Long.compare(a.get(shard), b.get(shard));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int lastShard(VectorClock clock) {
    return clock.size() == 0 ? -1 : clock.shardAt(clock.size() - 1);
  }

  private void checkSerial(List<Attempt> serial) {
    Map<Slot, Long> twin = new HashMap<>();
    for (Attempt attempt : serial) {
      attempt.seen.forEach((slot, writer) -> {
        long now = twin.getOrDefault(slot, Attempt.NOBODY);
        if (now != writer) {
          problems.add(
              String.format(
                  Locale.ROOT,
                  "not serializable: %s read %s of #%d, where the order of commits has that of #%d; %s",
                  attempt,
                  slot,
                  writer,
                  now,
                  attempt.story()));
        }
      });
      attempt.writes.forEach((slot, put) -> twin.put(slot, put ? attempt.number : Attempt.NOBODY));
    }
  }
}
