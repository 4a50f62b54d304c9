package io.canopygrid.btree.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an index in one snapshot: values, and beside them logs, which say for each index
 * and key which commits have put or removed it, in order. A clone shows the logs of its parents
 * beside its own, as they were when it was made: so it says itself what it has to show.
 *
 * @param values by key
 * @param logs by the index's number, the youngest index first, and by key
 */
record CloneShown(
    Map<Long, String> values, NavigableMap<Integer, NavigableMap<Long, List<Integer>>> logs) {
  /** The keys of values are below this. */
  static final int KEYS = 6;

  /** Above the keys of values, and between the logs of two indexes. */
  static final long LOGS = 100;

  /** The key of a log. */
  static long logOf(int index, long key) {
    return LOGS * index + key;
  }

  static CloneShown of(Map<Long, String> entries) {
    Map<Long, String> values = new TreeMap<>();
    NavigableMap<Integer, NavigableMap<Long, List<Integer>>> logs =
        new TreeMap<>(Comparator.reverseOrder());
    entries.forEach((key, value) -> {
      if (key < LOGS) {
        values.put(key, value);
      } else {
        logs.computeIfAbsent((int) (key / LOGS), any -> new TreeMap<>())
            .put(key % LOGS, NumberLists.of(value));
      }
    });
    return new CloneShown(values, logs);
  }

  /** The logs of an index. */
  NavigableMap<Long, List<Integer>> logsOf(int index) {
    NavigableMap<Long, List<Integer>> found = logs.get(index);
    return found == null ? new TreeMap<>() : found;
  }

  List<Integer> log(int index, long key) {
    return logsOf(index).getOrDefault(key, List.of());
  }

  /** The logs that an index has of its parents. */
  Map<Integer, NavigableMap<Long, List<Integer>>> below(int index) {
    return Map.copyOf(logs.tailMap(index, false));
  }

  /** The place of the last write of a key; null: nobody has written it. */
  @Nullable Last last(long key) {
    for (Map.Entry<Integer, NavigableMap<Long, List<Integer>>> each : logs.entrySet()) {
      List<Integer> log = each.getValue().getOrDefault(key, List.of());
      if (!log.isEmpty()) {
        return new Last(each.getKey(), log.get(log.size() - 1));
      }
    }
    return null;
  }

  /** A commit, and the index into which it wrote. */
  record Last(int index, int commit) {}

  /** All commits in the logs. */
  List<Integer> commits() {
    List<Integer> all = new ArrayList<>();
    logs.values().forEach(byKey -> byKey.values().forEach(all::addAll));
    return all;
  }
}
