package io.canopygrid.gmu.protocol.hot;

import io.canopygrid.gmu.CompositeKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts reads of the keys that are read most, in {@value #COUNTERS_MAX} counters: the space-saving
 * algorithm (Metwally et al., <i>Efficient Computation of Frequent and Top-k Elements</i>, ICDT
 * 2005). A key without a counter takes the lowest one, with what that has counted, which is then
 * the most by which it counts too much. Confined to one thread.
 */
final class ReadCounters {
  static final int COUNTERS_MAX = 256;

  private final Map<CompositeKey, Counter> byKey = new HashMap<>();
  private final Counter[] counters = new Counter[COUNTERS_MAX];
  private int size;
  private long total;

  /** No counter is below this. */
  private long lowest;

  /** The place of the counter that was taken last. */
  private int hand;

  private static final class Counter {
    CompositeKey key;
    long count;
    long tooMuch;

    Counter(CompositeKey key) {
      this.key = key;
    }
  }

  /** Counts reads of a key; gives the number that it has had for certain since the beginning. */
  long add(CompositeKey key, long reads) {
    total += reads;
    Counter counter = byKey.get(key);
    if (counter == null) {
      counter = size < COUNTERS_MAX ? free(key) : taken(key);
      byKey.put(key, counter);
    }
    counter.count += reads;
    return counter.count - counter.tooMuch;
  }

  private Counter free(CompositeKey key) {
    Counter counter = new Counter(key);
    counters[size++] = counter;
    return counter;
  }

  private Counter taken(CompositeKey key) {
    Counter counter = counters[lowestPlace()];
    byKey.remove(counter.key);
    counter.key = key;
    counter.tooMuch = counter.count;
    return counter;
  }

  /** Goes round: a round without a find raises the lowest count, which reads have paid for. */
  private int lowestPlace() {
    while (true) {
      for (int i = 0; i < COUNTERS_MAX; i++) {
        hand = (hand + 1) % COUNTERS_MAX;
        if (counters[hand].count <= lowest) {
          return hand;
        }
      }
      lowest = lowestCount();
    }
  }

  private long lowestCount() {
    long found = Long.MAX_VALUE;
    for (Counter counter : counters) {
      found = Math.min(found, counter.count);
    }
    return found;
  }

  /** All reads that were counted since the beginning. */
  long total() {
    return total;
  }

  /** Begins anew. */
  void clear() {
    byKey.clear();
    size = 0;
    total = 0;
    lowest = 0;
  }
}
