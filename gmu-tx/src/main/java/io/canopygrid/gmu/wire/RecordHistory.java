package io.canopygrid.gmu.wire;

import io.canopygrid.clock.VectorClock;
import org.jspecify.annotations.Nullable;

/**
 * The values and the clock that the records before have told, so that the next one need not tell
 * them again. A writer and a reader of the same records have the same. Confined to one thread.
 */
final class RecordHistory {
  private final RecentValues values = new RecentValues();
  private @Nullable VectorClock lastClock;

  RecentValues values() {
    return values;
  }

  @Nullable VectorClock lastClock() {
    return lastClock;
  }

  void setLastClock(@Nullable VectorClock clock) {
    lastClock = clock;
  }
}
