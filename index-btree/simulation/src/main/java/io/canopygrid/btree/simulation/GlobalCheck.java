package io.canopygrid.btree.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides whether global transactions and others can have happened one after the other. The lists
 * at rest say in which order they wrote. A transaction that has seen a list comes after the last
 * number that it saw there, and before the next. A reader has its place, too, each for itself.
 */
final class GlobalCheck {
  /** No commit has this number. */
  private static final int READER = 0;

  /** By commit the lists that it has seen, by key. */
  private final Map<Integer, Map<Long, List<Integer>>> seen = new TreeMap<>();

  /** The lists that each reader has seen. */
  private final List<Map<Long, List<Integer>>> read = new ArrayList<>();

  /** A body begins anew: what it saw before counts for nothing. */
  Map<Long, List<Integer>> begin(int commit) {
    Map<Long, List<Integer>> lists = new TreeMap<>();
    seen.put(commit, lists);
    return lists;
  }

  void reader(Map<Long, List<Integer>> lists) {
    read.add(lists);
  }

  /**
   * Says what is wrong.
   *
   * @param last the lists at rest
   */
  List<String> check(String what, Map<Long, List<Integer>> last) {
    List<String> problems = new ArrayList<>();
    Map<Integer, Set<Integer>> next = new TreeMap<>();
    Set<Integer> happened = new HashSet<>();
    for (List<Integer> list : last.values()) {
      happened.addAll(list);
      CloneOrder.chain(list, next);
    }
    seen.forEach((commit, lists) -> {
      if (happened.contains(commit)) {
        lists.forEach((key, list) -> {
          if (!isBegin(list, last.getOrDefault(key, List.of()))) {
            problems.add(
                what
                    + ": number "
                    + commit
                    + " saw "
                    + list
                    + " at "
                    + key
                    + ", which is "
                    + last.get(key));
          }
          place(commit, list, last.getOrDefault(key, List.of()), next);
        });
      }
    });
    problems.addAll(CloneOrder.circle(what, copyOf(next)));
    for (Map<Long, List<Integer>> lists : read) {
      Map<Integer, Set<Integer>> with = copyOf(next);
      boolean isKept =
          lists.entrySet().stream()
              .allMatch(at -> isBegin(at.getValue(), last.getOrDefault(at.getKey(), List.of())));
      if (isKept && problems.isEmpty()) {
        lists.forEach((key, list) -> place(READER, list, last.getOrDefault(key, List.of()), with));
        List<String> circle = CloneOrder.circle(what + " with a reader", with);
        circle.forEach(each -> problems.add(each + ", which saw " + lists));
      }
    }
    return problems;
  }

  private static Map<Integer, Set<Integer>> copyOf(Map<Integer, Set<Integer>> next) {
    Map<Integer, Set<Integer>> copy = new HashMap<>();
    next.forEach((commit, all) -> copy.put(commit, new HashSet<>(all)));
    return copy;
  }

  private static boolean isBegin(List<Integer> list, List<Integer> all) {
    return list.size() <= all.size() && all.subList(0, list.size()).equals(list);
  }

  private static void place(
      int commit, List<Integer> list, List<Integer> all, Map<Integer, Set<Integer>> next) {
    if (!list.isEmpty()) {
      CloneOrder.add(list.get(list.size() - 1), commit, next);
    }
    if (all.size() > list.size()) {
      CloneOrder.add(commit, all.get(list.size()), next);
    }
  }
}
