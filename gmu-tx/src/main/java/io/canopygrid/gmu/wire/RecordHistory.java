package io.canopygrid.gmu.wire;

import io.canopygrid.clock.VectorClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
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

  /** The parts of a value that its hash looks at, 8 bytes each. */
  private static final int PARTS = 5;

  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Recent<byte[]> values =
      new Recent<>(VALUES_MAX, VALUE_BYTES_MAX, new byte[0], RecordHistory::hash, Arrays::equals);
  private final Recent<VectorClock> clocks =
      new Recent<>(
          CLOCKS_MAX, CLOCKS_MAX, VectorClock.ZERO, RecordHistory::hash, VectorClock::equals);
  private @Nullable VectorClock lastClock;

  private static int hash(byte[] value) {
    long hash = value.length;
    int last = value.length - Long.BYTES;
    for (int part = 0; part < PARTS; part++) {
      hash = hash * SPREAD + (long) LONG.get(value, (int) ((long) last * part / (PARTS - 1)));
    }
    return (int) ((hash * SPREAD) >>> Integer.SIZE);
  }

  /** Clocks that are near each other differ in a few numbers, which have risen. */
  private static int hash(VectorClock clock) {
    long sum = 0;
    for (int i = 0; i < clock.size(); i++) {
      sum += clock.numberAt(i);
    }
    return (int) sum;
  }

  /** The number of values since one was told, from 1 on; 0: it must be told, and counts as told. */
  long agoOrAdd(byte[] value) {
    return value.length < LENGTH_MIN ? 0 : values.agoOrAdd(value, value.length);
  }

  byte[] value(long ago) {
    return values.get(ago);
  }

  /** Takes a value that was told. */
  void add(byte[] value) {
    if (value.length >= LENGTH_MIN) {
      values.add(value, value.length);
    }
  }

  /** The number of clocks since one was told, from 1 on; 0: it must be told, and counts as told. */
  long agoOrAdd(VectorClock clock) {
    long ago = clocks.agoOrAdd(clock, 1);
    if (ago == 0) {
      lastClock = clock;
    }
    return ago;
  }

  VectorClock clock(long ago) {
    return clocks.get(ago);
  }

  /** Takes a clock that was told. */
  void add(VectorClock clock) {
    clocks.add(clock, 1);
    lastClock = clock;
  }

  /** The clock that was told last; null: none was. */
  @Nullable VectorClock lastClock() {
    return lastClock;
  }
}
