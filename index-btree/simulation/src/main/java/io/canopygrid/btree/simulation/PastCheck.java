package io.canopygrid.btree.simulation;

import io.canopygrid.btree.simulation.NumberLists.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares states of the past with each other: the state of a time is the same for all who ask, and
 * later states go on from earlier ones. Where the machines' clocks are right, a state has nothing
 * that began after its time, and all that was told before a mark that is not younger.
 */
final class PastCheck {
  /** Marks that follow one another closely get later times than the clock has. */
  private static final long CLOSE_MILLIS = 20;

  private final HandleWork work;
  private final boolean skew;

  /** By the time that was asked for, in milliseconds. */
  private final NavigableMap<Long, State> states = new TreeMap<>();

  /** By its number the time at which each commit began, in milliseconds. */
  private final Map<Integer, Long> began = new HashMap<>();

  private final List<Marked> marked = new ArrayList<>();

  /**
   * No states yet.
   *
   * @param skew whether the clocks are wrong
   */
  PastCheck(HandleWork work, boolean skew) {
    this.work = work;
    this.skew = skew;
  }

  /**
   * A state as somebody saw it.
   *
   * @param since when the look began, in virtual time
   */
  private record State(Map<Long, List<Integer>> lists, long since) {}

  /** The commits that were told before a mark was begun, and a time after that mark. */
  private record Marked(long endMillis, List<Told> before) {}

  void begins(Told told, long nowMillis) {
    began.put(told.number, nowMillis);
  }

  void marked(long nowMillis, List<Told> before) {
    marked.add(new Marked(nowMillis, before));
  }

  /** The times that were asked for, and answered. */
  List<Long> times() {
    return List.copyOf(states.keySet());
  }

  /** The state of a time, which somebody began to ask for at a virtual time. */
  void saw(long millis, Map<Long, List<Integer>> lists, long since) {
    isWhole(lists);
    State state = new State(lists, since);
    goesOn(states.floorEntry(millis), millis, state);
    Map.Entry<Long, State> later = states.ceilingEntry(millis);
    if (later != null) {
      goesOn(Map.entry(millis, state), later.getKey(), later.getValue());
    }
    states.put(millis, state);
    if (!skew) {
      isOfItsTime(millis, state);
    }
  }

  /** Compares the last state of all with the newest one of these. */
  void rests(Map<Long, List<Integer>> now, long since) {
    goesOn(states.lastEntry(), Long.MAX_VALUE, new State(now, since));
  }

  private void goesOn(Map.@Nullable Entry<Long, State> first, long millis, State state) {
    if (first == null || isCutSince(first.getValue()) || isCutSince(state)) {
      return; // a cut takes states of the past as well
    }
    boolean isOne = first.getKey() == millis;
    Map<Long, List<Integer>> before = first.getValue().lists();
    before.forEach((key, list) -> {
      List<Integer> later = state.lists().getOrDefault(key, List.of());
      boolean right =
          isOne
              ? later.equals(list)
              : later.size() >= list.size() && later.subList(0, list.size()).equals(list);
      if (!right) {
        work.problem(
            ("the state of " + first.getKey() + " is " + before)
                + (", and that of " + millis + " is " + state.lists()));
      }
    });
  }

  private boolean isCutSince(State state) {
    return work.grid.isAnyCut(state.since());
  }

  /** Each commit is in all of its lists, or in none. */
  private void isWhole(Map<Long, List<Integer>> lists) {
    lists.forEach((key, list) -> {
      for (int number : list) {
        for (long other : work.all.get(number - 1).keys) {
          if (!lists.getOrDefault(other, List.of()).contains(number)) {
            work.problem("a state has a part of " + work.all.get(number - 1) + ": " + lists);
          }
        }
      }
    });
  }

  private void isOfItsTime(long millis, State state) {
    for (List<Integer> list : state.lists().values()) {
      for (int number : list) {
        if (began.getOrDefault(number, Long.MAX_VALUE) > millis) {
          work.problem("the state of " + millis + " has " + number + ", which began later");
        }
      }
    }
    for (Marked mark : marked) {
      if (mark.endMillis() + CLOSE_MILLIS <= millis) {
        shows(millis, state, NumberLists.withoutCut(work.grid, mark.before()));
      }
    }
  }

  private void shows(long millis, State state, List<Told> commits) {
    for (Told told : commits) {
      for (long key : told.keys) {
        if (!isCutSince(state)
            && !state.lists().getOrDefault(key, List.of()).contains(told.number)) {
          work.problem("the state of " + millis + " is without " + told + ", told long before");
        }
      }
    }
  }
}
