package io.canopygrid.btree.simulation;

import io.canopygrid.btree.simulation.NumberLists.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The checks of clones and their parents. In each snapshot an index shows the last write of each
 * key by its logs; a clone has the logs of its parents as they were when it was made, the same ones
 * for ever; each commit is in all logs and in the common list, or in none. Of the commits together
 * {@link CloneOrder} says that there is a serial order.
 */
final class CloneCheck {
  private final HandleWork work;
  private final CloneOrder order = new CloneOrder();

  /** By the commit's number. */
  private final Map<Integer, Intent> intents = new HashMap<>();

  /** By the clone's number the logs of its parents, as somebody first saw them. */
  private final Map<Integer, Map<Integer, NavigableMap<Long, List<Integer>>>> bases =
      new HashMap<>();

  private final Map<Integer, Made> made = new HashMap<>();
  private final List<Call> drops = new ArrayList<>();
  private final Map<Integer, Long> seen = new HashMap<>();

  CloneCheck(HandleWork work) {
    this.work = work;
  }

  /** The reads and writes of one attempt of a commit. */
  final class Intent {
    /** By the index's number and key whether a value was put; false: it was removed. */
    private final Map<Integer, Map<Long, Boolean>> writes = new TreeMap<>();

    private final int commit;

    private Intent(int commit) {
      this.commit = commit;
    }

    void writes(int index, long key, boolean put) {
      writes.computeIfAbsent(index, any -> new TreeMap<>()).put(key, put);
    }

    /** A key's log was read: it ended like this, before any write of the attempt's own. */
    void saw(int index, long key, List<Integer> log) {
      if (!writesOf(index).containsKey(key)) {
        order.saw(commit, index, key, log);
      }
    }

    private Map<Long, Boolean> writesOf(int index) {
      return writes.getOrDefault(index, Map.of());
    }
  }

  /** Begins an attempt of a commit; the one before has failed. */
  Intent begins(Told told) {
    Intent intent = new Intent(told.number);
    intents.put(told.number, intent);
    order.forget(told.number);
    return intent;
  }

  static String value(int commit) {
    return String.format(Locale.ROOT, "v%05d", commit);
  }

  // ---- what is there

  /** A call that drops the index of a name. */
  static final class Call {
    private final String name;
    private long ended = Long.MAX_VALUE;

    private Call(String name) {
      this.name = name;
    }
  }

  Call drops(String name) {
    Call call = new Call(name);
    drops.add(call);
    return call;
  }

  void dropped(Call call) {
    call.ended = work.grid.now();
  }

  /** Somebody has opened the index of a number; before this time nobody had seen it. */
  void opened(int number, long since) {
    seen.putIfAbsent(number, since);
  }

  boolean mayBeDropped(String name, int number) {
    return isDroppedSince(name, seen.getOrDefault(number, 0L));
  }

  boolean isDroppedSince(String name, long since) {
    return drops.stream().anyMatch(call -> call.name.equals(name) && call.ended >= since);
  }

  /**
   * The making of a clone, as far as it is known.
   *
   * @param parent its number
   * @param before the commits that had been told before
   * @param issued the number of the last commit that had begun by its end
   * @param shown the parent's state; null: it is not known
   */
  record Made(int parent, List<Told> before, int issued, @Nullable CloneShown shown) {}

  /** A clone was made, and nobody has dropped it since. */
  void made(int number, Made how) {
    made.put(number, how);
    Map<Integer, NavigableMap<Long, List<Integer>>> base = bases.get(number);
    if (base != null) {
      isBase(number, how, base);
    }
  }

  private void isBase(int number, Made how, Map<Integer, NavigableMap<Long, List<Integer>>> base) {
    if (how.shown() != null && !how.shown().below(Integer.MAX_VALUE).equals(base)) {
      work.problem("clone " + number + " begins with " + base + ", and its parent: " + how.shown());
    }
    NavigableMap<Long, List<Integer>> logs = base.getOrDefault(how.parent(), new TreeMap<>());
    for (Told told : how.before()) {
      intent(told.number)
          .writesOf(how.parent())
          .keySet()
          .forEach(key -> {
            if (!logs.getOrDefault(key, List.of()).contains(told.number)) {
              work.problem("clone " + number + " begins without " + told + ": " + base);
            }
          });
    }
    base.values()
        .forEach(byKey ->
            byKey
                .values()
                .forEach(log ->
                    log.forEach(commit -> {
                      if (commit > how.issued()) {
                        work.problem(
                            "clone "
                                + number
                                + " begins with "
                                + commit
                                + ", which is younger: "
                                + base);
                      }
                    })));
  }

  private Intent intent(int commit) {
    Intent intent = intents.get(commit);
    return intent == null ? new Intent(commit) : intent;
  }

  // ---- snapshots

  /**
   * Checks what an index shows.
   *
   * @param number the index's; 0: it is not known
   * @param lists the common lists in the same snapshot
   * @param own the number of the transaction's own commit, which is under way; 0: none
   * @param what where it was seen, for people
   */
  void shows(CloneShown shown, int number, Map<Long, List<Integer>> lists, int own, String what) {
    String where = what + " of number " + number + ": " + shown;
    List<Integer> commits = shown.commits();
    if (own == 0 || !commits.contains(own)) {
      order.compare(shown).forEach(work::problem);
    }
    if (own == 0) {
      order.learn(shown);
    }
    showsLastWrites(shown, where);
    for (int commit : commits) {
      isWhole(shown, commit, own, where);
      if (commit != own && lists.values().stream().noneMatch(list -> list.contains(commit))) {
        work.problem("commit " + commit + " is seen, and is not in " + lists + ", " + where);
      }
    }
    if (number > 0) {
      showsAll(shown, number, lists, where);
      goesOn(shown, number, where);
    }
  }

  private void showsLastWrites(CloneShown shown, String where) {
    for (long key = 0; key < CloneShown.KEYS; key++) {
      CloneShown.Last last = shown.last(key);
      String value = last == null ? null : written(last, key);
      String found = shown.values().get(key);
      if (value == null ? found != null : !value.equals(found)) {
        work.problem("key " + key + " is " + found + " and not " + value + ", " + where);
      }
    }
  }

  /** The value that a write has left; null: it was a removal. */
  private @Nullable String written(CloneShown.Last last, long key) {
    int commit = last.commit();
    boolean isThere = Boolean.TRUE.equals(intent(commit).writesOf(last.index()).get(key));
    return isThere ? value(commit) : null;
  }

  private void isWhole(CloneShown shown, int commit, int own, String where) {
    if (commit == own) {
      return;
    }
    shown
        .logs()
        .keySet()
        .forEach(index -> {
          Map<Long, Boolean> writes = intent(commit).writesOf(index);
          long there =
              writes.keySet().stream().filter(k -> shown.log(index, k).contains(commit)).count();
          if (there > 0 && there < writes.size()) {
            work.problem("a part of commit " + commit + " is seen, " + where);
          }
        });
  }

  /** The commits of the index itself that the common lists have. */
  private void showsAll(
      CloneShown shown, int number, Map<Long, List<Integer>> lists, String where) {
    lists
        .values()
        .forEach(list ->
            list.forEach(commit ->
                intent(commit)
                    .writesOf(number)
                    .keySet()
                    .forEach(key -> {
                      if (!shown.log(number, key).contains(commit)) {
                        work.problem(
                            "commit " + commit + " is in " + lists + ", and not seen, " + where);
                      }
                    })));
  }

  private void goesOn(CloneShown shown, int number, String where) {
    if (!shown.logs().isEmpty() && shown.logs().firstKey() > number) {
      work.problem("something of another index is seen, " + where);
    }
    Map<Integer, NavigableMap<Long, List<Integer>>> base = shown.below(number);
    Map<Integer, NavigableMap<Long, List<Integer>>> before = bases.putIfAbsent(number, base);
    if (before == null) {
      Made how = made.get(number);
      if (how != null) {
        isBase(number, how, base);
      }
    } else if (!before.equals(base)) {
      work.problem("it began with " + before + ", " + where);
    }
  }

  /** Whether an index is known to have had entries of a parent when it was made. */
  boolean isAboveEntries(int number) {
    return !bases.getOrDefault(number, Map.of()).isEmpty();
  }

  /** Looks for a serial order of these commits. */
  List<String> order(List<List<Integer>> lists) {
    return order.check(lists);
  }
}
