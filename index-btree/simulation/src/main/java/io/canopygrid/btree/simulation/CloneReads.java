package io.canopygrid.btree.simulation;

import io.canopygrid.Cursor;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.btree.crown.ClonePin;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Looks at all entries of an index, in ways that all have to find the same, and at pins. */
final class CloneReads {
  private CloneReads() {}

  static Map<Long, String> forwards(ReadView<Long, String> view) {
    Map<Long, String> entries = new TreeMap<>();
    view.scan().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  /** All entries, in any of the ways; counts a part of them at times. */
  static CloneShown any(HandleWork work, ReadView<Long, String> view, SeededRandom random) {
    Map<Long, String> entries =
        switch (random.below(4)) {
          case 0 -> forwards(view);
          case 1 -> backwards(view);
          case 2 -> inParts(view, random.oneOf(1, 2, 5));
          default -> byKey(work, view, random);
        };
    if (random.chance(0.3)) {
      long low = random.below(CloneShown.KEYS);
      long counted = view.count(Range.atLeast(low));
      long found = entries.keySet().stream().filter(key -> key >= low).count();
      if (counted != found) {
        work.problem("counted " + counted + " from " + low + " on, of " + entries);
      }
    }
    return CloneShown.of(entries);
  }

  private static Map<Long, String> backwards(ReadView<Long, String> view) {
    Map<Long, String> entries = new TreeMap<>();
    try (Cursor<Long, String> cursor = view.scan()) {
      cursor.reverse().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    }
    return entries;
  }

  private static Map<Long, String> inParts(ReadView<Long, String> view, int limit) {
    Map<Long, String> entries = new TreeMap<>();
    long from = 0;
    int found = limit;
    while (found == limit) {
      found = 0;
      try (Cursor<Long, String> cursor = view.scan(Range.atLeast(from)).limit(limit)) {
        for (Map.Entry<Long, String> entry : cursor) {
          entries.put(entry.getKey(), entry.getValue());
          from = entry.getKey() + 1;
          found++;
        }
      }
    }
    return entries;
  }

  private static Map<Long, String> byKey(
      HandleWork work, ReadView<Long, String> view, SeededRandom random) {
    Map<Long, String> entries = new TreeMap<>();
    for (long key = 0; key < CloneShown.KEYS; key++) {
      String value = view.get(key);
      if (value != null) {
        entries.put(key, value);
      }
      work.pause(random);
    }
    view.scan(Range.atLeast(CloneShown.LOGS))
        .forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  /** The number of pins of clones that a node knows. */
  static long pins(GmuNode node) {
    OrderedCursor<VersionChain> cursor = node.top().ascending(ClonePin.least().bytes());
    byte[] end = ReservedKcl.PINS.endKey();
    long pins = 0;
    while (cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
      pins += cursor.value().value() == null ? 0 : 1;
    }
    return pins;
  }
}
