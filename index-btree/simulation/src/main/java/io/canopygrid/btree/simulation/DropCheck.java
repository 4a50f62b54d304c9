package io.canopygrid.btree.simulation;

import io.canopygrid.ReadView;
import io.canopygrid.btree.simulation.NumberLists.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The checks of indexes that are dropped and created again: each shows what was written into it,
 * and nothing of another one of its name, and is gone only where somebody has dropped it. One call
 * drops one index.
 */
final class DropCheck {
  /** The names of the indexes, by their places. */
  static final List<Long> NAMES = List.of(0L, 1L);

  private final HandleWork work;

  /** The commits by their numbers. */
  private final Map<Integer, Intent> intents = new HashMap<>();

  /** By name the numbers of its indexes, with the time before which nobody had seen them. */
  private final Map<Long, TreeMap<Integer, Long>> seen = new HashMap<>();

  /** By name the greatest number that a drop that has returned was to drop: nobody opens it. */
  private final Map<Long, Integer> dead = new HashMap<>();

  /** By name the greatest number up to which nobody can use any. */
  private final Map<Long, Integer> marked = new HashMap<>();

  /** The numbers at rest. */
  private final Map<Long, Integer> alive = new HashMap<>();

  private final List<Call> calls = new ArrayList<>();

  DropCheck(HandleWork work) {
    this.work = work;
  }

  /**
   * The writes of a commit.
   *
   * @param index the number of the index
   * @param values the empty value removes a key
   */
  private record Intent(int index, Map<Long, String> values) {
    static final Intent UNKNOWN = new Intent(0, Map.of());
  }

  private Intent intent(int number) {
    return intents.getOrDefault(number, Intent.UNKNOWN);
  }

  /** A call that drops an index. Without an answer it may have an effect at any later time. */
  static final class Call {
    private final long name;
    private long ended = Long.MAX_VALUE;
    private boolean effect = true;

    private Call(long name) {
      this.name = name;
    }

    void told(boolean hasDropped) {
      effect = hasDropped;
    }

    boolean hasDropped() {
      return effect;
    }
  }

  static String value(int number) {
    return String.format(Locale.ROOT, "v%05d", number);
  }

  static Map<Long, String> entries(ReadView<Long, String> view) {
    Map<Long, String> entries = new TreeMap<>();
    view.scan().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  void seen(long name, int number, long since) {
    seen.computeIfAbsent(name, any -> new TreeMap<>()).putIfAbsent(number, since);
  }

  private long seenSince(long name, int number) {
    return seen.getOrDefault(name, new TreeMap<>()).getOrDefault(number, 0L);
  }

  /** The greatest number that anybody has seen; 0: none. */
  int newest(long name) {
    TreeMap<Integer, Long> numbers = seen.get(name);
    return numbers == null ? 0 : numbers.lastKey();
  }

  void intend(Told told, int index, Map<Long, String> values) {
    intents.put(told.number, new Intent(index, values));
  }

  // ---- drops

  Call drops(long name) {
    Call call = new Call(name);
    calls.add(call);
    return call;
  }

  /**
   * A call has returned: what was there before it is dropped, by it or by somebody else. Another
   * call may be marking still what it has dropped, but not where this one has found nothing to
   * drop, since it has marked all itself then.
   */
  void dropped(Call call, int newest) {
    dead.merge(call.name, newest, Math::max);
    boolean isAlone =
        newest > 0
            && calls.stream()
                .allMatch(other ->
                    other == call
                        || other.name != call.name
                        || other.ended < seenSince(call.name, newest));
    if (isAlone || !call.effect) {
      marked.merge(call.name, newest, Math::max);
    }
    call.ended = work.grid.now();
  }

  /** Whether nobody can use the index of a number any more. */
  boolean isMarked(long name, int number) {
    return number <= marked.getOrDefault(name, 0);
  }

  /** Whether a call may have dropped something since a time. */
  boolean isDroppedSince(long name, long since) {
    return calls.stream().anyMatch(call -> call.name == name && call.ended >= since);
  }

  boolean mayBeDropped(long name, int number) {
    return isDroppedSince(name, seenSince(name, number));
  }

  // ---- contents

  /** Compares what is found with what the commits of one index say. */
  void isOf(int index, Map<Long, String> found, List<Integer> list, String where) {
    Map<Long, String> expected = written(index, list);
    if (!found.equals(expected)) {
      work.problem(
          (where + " has " + found)
              + (", and the commits to number " + index + " say " + expected + ": " + list));
    }
  }

  /** Compares what is found with what the commits of some index say. */
  void isOfAny(Map<Long, String> found, List<Integer> list, String where) {
    TreeSet<Integer> indexes = new TreeSet<>();
    list.forEach(number -> indexes.add(intent(number).index()));
    if (!found.isEmpty()
        && indexes.stream().noneMatch(index -> found.equals(written(index, list)))) {
      work.problem(where + " has " + found + ", which no index ever had: " + list);
    }
  }

  private Map<Long, String> written(int index, List<Integer> list) {
    Map<Long, String> entries = new TreeMap<>();
    for (int number : list) {
      Intent intent = intent(number);
      if (intent.index() == index) {
        entries.putAll(intent.values());
      }
    }
    entries.values().removeIf(String::isEmpty);
    return entries;
  }

  // ---- at rest

  void rests(long name, int number) {
    alive.put(name, number);
    if (number <= dead.getOrDefault(name, 0)) {
      work.problem("index d" + name + " is number " + number + " still, which was dropped");
    }
  }

  /**
   * A commit that has seen what was written into an index does not write into one that had its name
   * before: nobody would ever read that.
   *
   * @param lists by name the commits in their order
   */
  List<String> findLateWrites(Map<Long, List<Integer>> lists) {
    List<String> problems = new ArrayList<>();
    lists.forEach((name, list) -> {
      int newest = 0;
      for (int number : list) {
        int index = intent(number).index();
        if (index < newest) {
          problems.add(
              String.format(
                  Locale.ROOT,
                  "commit %d went into number %d of d%d, and those before it into %d: %s",
                  number,
                  index,
                  name,
                  newest,
                  list));
        }
        newest = Math.max(newest, index);
      }
    });
    return problems;
  }

  /** Each number but the last was dropped by a call of its own. */
  List<String> countDrops() {
    List<String> problems = new ArrayList<>();
    alive.forEach((name, last) -> {
      int gone = seen.getOrDefault(name, new TreeMap<>()).headMap(last).size();
      long effects = calls.stream().filter(call -> call.name == name && call.effect).count();
      if (gone > effects) {
        problems.add(gone + " indexes d" + name + " are gone, and " + effects + " were dropped");
      }
    });
    return problems;
  }
}
