package io.canopygrid.engine;

import io.canopygrid.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The number of attempts that ended with each error. Thread-safe. */
public final class AbortCounts {
  private final Map<ErrorCode, LongAdder> counts = new ConcurrentHashMap<>();

  /** Counts one more. */
  public void count(ErrorCode code) {
    counts.computeIfAbsent(code, any -> new LongAdder()).increment();
  }

  /** The counts above 0. */
  public Map<ErrorCode, Long> summary() {
    Map<ErrorCode, Long> summary = new EnumMap<>(ErrorCode.class);
    counts.forEach((code, count) -> summary.put(code, count.sum()));
    return summary;
  }
}
