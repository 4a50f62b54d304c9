package io.canopygrid.table;

import io.canopygrid.TableReport.Kind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** The findings of one transaction at one index. Confined to one thread. */
final class IndexFindings {
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<byte[], byte[]> withoutEntry = new TreeMap<>(Arrays::compareUnsigned);
  private long entries;

  void count(Kind kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  void readEntry() {
    entries++;
  }

  long entries() {
    return entries;
  }

  Map<Kind, Long> counts() {
    return counts;
  }

  /** The keys of rows that have no entry in a unique index, by the keys of the entries. */
  Map<byte[], byte[]> withoutEntry() {
    return withoutEntry;
  }
}
