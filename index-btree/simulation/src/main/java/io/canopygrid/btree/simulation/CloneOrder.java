package io.canopygrid.btree.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides whether commits can have happened one after the other. Each log says in which order its
 * commits wrote; a commit that saw a log comes after the last one in it then, and before the next.
 * These orders together must have no circle.
 */
final class CloneOrder {
  /** The longest log that was seen of each key. */
  private final Map<Place, List<Integer>> logs = new HashMap<>();

  /** By commit how long the logs were that it saw. */
  private final Map<Integer, Map<Place, List<Integer>>> seen = new HashMap<>();

  private record Place(int index, long key) {}

  void forget(int commit) {
    seen.remove(commit);
  }

  void saw(int commit, int index, long key, List<Integer> log) {
    seen.computeIfAbsent(commit, any -> new HashMap<>())
        .putIfAbsent(new Place(index, key), List.copyOf(log));
  }

  /** Compares the logs of a snapshot with those of others; what is wrong, in words. */
  List<String> compare(CloneShown shown) {
    List<String> problems = new ArrayList<>();
    shown
        .logs()
        .forEach((index, byKey) ->
            byKey.forEach((key, log) -> {
              Place place = new Place(index, key);
              List<Integer> known = logs.getOrDefault(place, List.of());
              if (!isBegun(known, log)) {
                problems.add(
                    "the log of key " + key + " of " + index + " is " + log + ", and was " + known);
              }
            }));
    return problems;
  }

  /** Remembers the logs of a snapshot. */
  void learn(CloneShown shown) {
    shown
        .logs()
        .forEach((index, byKey) ->
            byKey.forEach((key, log) ->
                logs.merge(new Place(index, key), log, (a, b) -> a.size() >= b.size() ? a : b)));
  }

  /** Whether one of the two begins the other. */
  private static boolean isBegun(List<Integer> a, List<Integer> b) {
    int both = Math.min(a.size(), b.size());
    return a.subList(0, both).equals(b.subList(0, both));
  }

  /**
   * Looks for circles.
   *
   * @param lists those of all commits that have happened
   */
  List<String> check(List<List<Integer>> lists) {
    Map<Integer, Set<Integer>> next = new TreeMap<>();
    lists.forEach(list -> chain(list, next));
    logs.values().forEach(log -> chain(log, next));
    Set<Integer> happened = new HashSet<>();
    lists.forEach(happened::addAll);
    seen.forEach((commit, places) -> {
      if (happened.contains(commit)) {
        places.forEach((place, log) -> order(commit, log, place, next));
      }
    });
    return circle("clones", next);
  }

  static void chain(List<Integer> list, Map<Integer, Set<Integer>> next) {
    for (int i = 1; i < list.size(); i++) {
      add(list.get(i - 1), list.get(i), next);
    }
  }

  static void add(int first, int second, Map<Integer, Set<Integer>> next) {
    if (first != second) {
      next.computeIfAbsent(first, any -> new TreeSet<>()).add(second);
    }
  }

  private void order(int commit, List<Integer> log, Place place, Map<Integer, Set<Integer>> next) {
    if (!log.isEmpty()) {
      add(log.get(log.size() - 1), commit, next);
    }
    List<Integer> all = logs.getOrDefault(place, List.of());
    if (all.size() > log.size()) {
      add(commit, all.get(log.size()), next);
    }
  }

  /** Takes away what nothing comes before, until nothing is left, or a circle. */
  static List<String> circle(String what, Map<Integer, Set<Integer>> next) {
    Map<Integer, Integer> before = new TreeMap<>();
    next.forEach((commit, all) -> {
      before.putIfAbsent(commit, 0);
      all.forEach(each -> before.merge(each, 1, Integer::sum));
    });
    Deque<Integer> free = new ArrayDeque<>();
    before.forEach((commit, count) -> {
      if (count == 0) {
        free.add(commit);
      }
    });
    while (!free.isEmpty()) {
      int commit = free.remove();
      before.remove(commit);
      for (int each : next.getOrDefault(commit, Set.of())) {
        if (before.merge(each, -1, Integer::sum) == 0) {
          free.add(each);
        }
      }
    }
    return before.isEmpty()
        ? List.of()
        : List.of(what + ": commits in a circle, or behind one: " + before.keySet());
  }
}
