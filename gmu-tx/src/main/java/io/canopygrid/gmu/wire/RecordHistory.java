package io.canopygrid.gmu.wire;

import io.canopygrid.clock.VectorClock;
import org.jspecify.annotations.Nullable;

/**
 * The values and clocks that the records before have told, so that the next one need not tell them
 * again. A writer and a reader of the same records have the same. Confined to one thread.
 */
final class RecordHistory {
  /** Values that are shorter are as cheap to write again. */
  private static final int LENGTH_MIN = 32;

  private static final int VALUES_MAX = 1 << 10;
  private static final int VALUE_BYTES_MAX = 1 << 20;
  private static final int CLOCKS_MAX = 256;

  private final Recent<byte[]> values = new Recent<>(VALUES_MAX, VALUE_BYTES_MAX, new byte[0]);
  private final Recent<VectorClock> clocks = new Recent<>(CLOCKS_MAX, CLOCKS_MAX, VectorClock.ZERO);
  private @Nullable VectorClock lastClock;

  /** The number of values since one was told, from 1 on; 0: it must be told. */
  long ago(byte[] value) {
    return value.length < LENGTH_MIN ? 0 : values.ago(value);
  }

  byte[] value(long ago) {
    return values.get(ago);
  }

  void add(byte[] value) {
    if (value.length >= LENGTH_MIN) {
      values.add(value, value.length);
    }
  }

  /** The number of clocks since one was told, from 1 on; 0: it must be told. */
  long ago(VectorClock clock) {
    return clocks.ago(clock);
  }

  VectorClock clock(long ago) {
    return clocks.get(ago);
  }

  void add(VectorClock clock) {
    clocks.add(clock, 1);
    lastClock = clock;
  }

  /** The clock that was told last; null: none was. */
  @Nullable VectorClock lastClock() {
    return lastClock;
  }
}
