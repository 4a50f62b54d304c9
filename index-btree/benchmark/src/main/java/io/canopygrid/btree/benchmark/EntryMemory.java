package io.canopygrid.btree.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;

/** The memory of the heap that a map takes for an entry, without its key and its value. */
final class EntryMemory {
  private static final int ENTRIES = 1_000_000;

  private EntryMemory() {}

  /** After inserts in random order. */
  static double bytesPerEntry(String subject, KeyShape shape) {
    byte[][] keys = shape.keys(ENTRIES, 1);
    Long value = 1L;
    long before = used();
    MeasuredMap map = MeasuredMap.named(subject);
    try {
      for (byte[] key : keys) {
        map.put(key, value);
      }
      map.settle();
      return (used() - before) / (double) ENTRIES;
    } finally {
      Reference.reachabilityFence(map);
      Reference.reachabilityFence(keys);
    }
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
