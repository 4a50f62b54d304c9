package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * When a node's floor was where: so a clock that holds the horizon back can be told as a time. The
 * newer a floor is, the closer it is to its neighbours. Thread-safe.
 */
final class FloorTimes {
  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** When so many are known, every second one of the older half is forgotten. */
  private static final int KNOWN_MAX = 64;

  /** Oldest first. */
  private final List<Known> known = new ArrayList<>();

  private record Known(VectorClock floor, long nanos) {}

  /** Notes where the floor is now, at most once a second. */
  synchronized void note(VectorClock floor, long nowNanos) {
    Known last = known.isEmpty() ? null : known.get(known.size() - 1);
    if (last != null && (nowNanos - last.nanos < STEP_NANOS || floor.equals(last.floor))) {
      return;
    }
    if (known.size() == KNOWN_MAX) {
      for (int place = KNOWN_MAX / 2 - 1; place > 0; place -= 2) {
        known.remove(place);
      }
    }
    known.add(new Known(floor, nowNanos));
  }

  /**
   * The time since the floor was last at or below a clock: commits since then are above it, or some
   * of them. 0 where it still is. Of a clock that is older than all that is known here, the time
   * since the first note.
   */
  synchronized long ageNanos(VectorClock clock, VectorClock floor, long nowNanos) {
    if (floor.precedesOrEquals(clock) || known.isEmpty()) {
      return 0;
    }
    int place = known.size() - 1;
    while (place > 0 && !known.get(place).floor.precedesOrEquals(clock)) {
      place--;
    }
    return nowNanos - known.get(place).nanos;
  }
}
