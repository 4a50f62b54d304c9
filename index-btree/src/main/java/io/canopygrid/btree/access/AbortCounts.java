package io.canopygrid.btree.access;

import io.canopygrid.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many attempts ended with each error. Thread-safe. */
public final class AbortCounts {
  private static final ErrorCode[] CODES = ErrorCode.values();

  private final AtomicLongArray counts = new AtomicLongArray(CODES.length);

  /** One more. */
  public void count(ErrorCode code) {
    counts.incrementAndGet(code.ordinal());
  }

  /** The counts above 0. */
  public Map<ErrorCode, Long> summary() {
    Map<ErrorCode, Long> summary = new EnumMap<>(ErrorCode.class);
    for (ErrorCode code : CODES) {
      long count = counts.get(code.ordinal());
      if (count > 0) {
        summary.put(code, count);
      }
    }
    return summary;
  }
}
