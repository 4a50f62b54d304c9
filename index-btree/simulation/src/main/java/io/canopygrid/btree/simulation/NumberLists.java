package io.canopygrid.btree.simulation;

import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineView;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists of numbers, each of which was appended by one commit. As a list is only ever appended to,
 * the last one says what has happened, in order, and how often.
 */
final class NumberLists {
  private static final String BEGIN = "=";
  private static final int DIGITS = 4;

  private NumberLists() {}

  /** The list in a value; null: none. No value takes eight bytes. */
  static List<Integer> of(@Nullable String value) {
    List<Integer> numbers = new ArrayList<>();
    for (int at = BEGIN.length(); value != null && at < value.length(); at += DIGITS) {
      numbers.add(Integer.parseInt(value.substring(at, at + DIGITS), 36));
    }
    return numbers;
  }

  /** A value with one more number. */
  static String with(@Nullable String value, int number) {
    String digits = Integer.toString(number, 36);
    return (value == null ? BEGIN : value) + "0".repeat(DIGITS - digits.length()) + digits;
  }

  /** Appends a number to the list of a key. */
  static void append(EngineView view, long key, int number) {
    byte[] at = Codec.int64().encode(key);
    byte[] found = view.get(at);
    String value = found == null ? null : Codec.string().decode(found);
    view.put(at, Codec.string().encode(with(value, number)));
  }

  /** The list of a key. */
  static List<Integer> read(EngineView view, long key) {
    byte[] found = view.get(Codec.int64().encode(key));
    return of(found == null ? null : Codec.string().decode(found));
  }

  /** The clients' knowledge of one number. */
  static final class Told {
    final int number;

    /** The keys to whose lists it is appended, all of them or none. */
    final List<Long> keys;

    /** The states that they were told, each with who told it. */
    final Map<CommitState, String> states = new EnumMap<>(CommitState.class);

    /** The results that they were told. */
    final Set<String> results = new HashSet<>();

    /** The clock of the commit, where that was told, and when. */
    private VectorClock clock = VectorClock.ZERO;

    private long at;

    Told(int number, List<Long> keys) {
      this.number = number;
      this.keys = keys;
    }

    void told(CommitState state, String by) {
      states.putIfAbsent(state, by);
    }

    void committed(@Nullable VectorClock with, long now) {
      clock = with == null ? clock : with;
      at = now;
    }

    boolean isCommitted() {
      return states.containsKey(CommitState.COMMITTED);
    }

    @Override
    public String toString() {
      return "number " + number + " at " + keys + ", told " + states;
    }
  }

  /** All but those that were told as committed, and that a cut has taken since. */
  static List<Told> withoutCut(SimulatedGrid grid, List<Told> all) {
    return all.stream()
        .filter(told -> !told.isCommitted() || !grid.isCut(told.clock, told.at))
        .toList();
  }

  /**
   * Compares what was told with the last lists.
   *
   * @param lists by key
   */
  static List<String> check(String what, List<Told> all, Map<Long, List<Integer>> lists) {
    List<String> problems = new ArrayList<>();
    for (Told told : all) {
      int there = 0;
      for (long key : told.keys) {
        int times = times(lists.getOrDefault(key, List.of()), told.number);
        there += times > 0 ? 1 : 0;
        if (times > 1) {
          problems.add(what + " happened " + times + " times: " + told + ", in " + lists.get(key));
        }
      }
      if (there > 0 && there < told.keys.size()) {
        problems.add(what + " happened in part: " + told);
      }
      if (there == 0 && told.states.containsKey(CommitState.COMMITTED)) {
        problems.add(what + " was told committed, and is not there: " + told);
      }
      if (there > 0 && told.states.containsKey(CommitState.NOT_COMMITTED)) {
        problems.add(what + " was told not committed, and is there: " + told);
      }
      if (told.results.size() > 1) {
        problems.add(what + " has several results: " + told + ", " + told.results);
      }
    }
    return problems;
  }

  private static int times(List<Integer> list, int number) {
    return (int) list.stream().filter(each -> each == number).count();
  }

  /** The key's place in an index, in bytes. */
  static byte[] bytes(long key) {
    return Codec.int64().encode(key);
  }

  /** The index of a name, at a node. */
  static IndexRef open(ServedNode node, String name, int entriesMax) {
    return node.open(name, Codec.int64().id(), Codec.string().id(), new IndexOptions(entriesMax));
  }
}
