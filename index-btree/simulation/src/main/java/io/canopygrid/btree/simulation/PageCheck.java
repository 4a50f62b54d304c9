package io.canopygrid.btree.simulation;

import io.canopygrid.btree.simulation.NumberLists.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares pages with the commits that are in their snapshots. The keys are in two groups, each of
 * which has one list of all commits that change keys of it.
 */
final class PageCheck {
  static final int KEYS = 20;

  /** The keys of the lists. */
  static final List<Long> GROUPS = List.of(0L, 1L);

  private final HandleWork work;
  private final Map<Integer, Intended> intended = new HashMap<>();

  PageCheck(HandleWork work) {
    this.work = work;
  }

  /** The keys that a commit changes, and the values that they get; without one a key is removed. */
  private record Intended(Told told, List<Long> keys, Map<Long, String> values) {}

  void intend(Told told, List<Long> keys, Map<Long, String> values) {
    intended.put(told.number, new Intended(told, keys, values));
  }

  static List<Long> keys() {
    return LongStream.range(0, KEYS).boxed().toList();
  }

  static List<Long> groups(List<Long> keys) {
    return keys.stream().map(PageCheck::group).distinct().toList();
  }

  private static long group(long key) {
    return key % GROUPS.size();
  }

  static String value(int number, long key) {
    return String.format(Locale.ROOT, "value %05d of %02d", number, key);
  }

  /** A page: what it tells, from one key to another. */
  static final class Page {
    private final boolean reverse;
    private final List<Map.Entry<Long, String>> entries = new ArrayList<>();
    private long low;
    private long high;

    Page(boolean reverse) {
      this.reverse = reverse;
    }

    void add(Map.Entry<Long, String> entry) {
      entries.add(entry);
    }

    int size() {
      return entries.size();
    }

    long lastKey() {
      return entries.get(entries.size() - 1).getKey();
    }

    /** The page tells of all keys from one to another, in its direction. */
    void covers(long from, long to) {
      low = reverse ? to : from;
      high = reverse ? from : to;
    }

    private boolean isInOrder() {
      boolean right = true;
      for (int i = 0; i < entries.size(); i++) {
        long key = entries.get(i).getKey();
        right &= low <= key && key <= high;
        long before = i == 0 ? key : entries.get(i - 1).getKey();
        right &= i == 0 || (reverse ? before > key : before < key);
      }
      return right;
    }

    @Override
    public String toString() {
      return entries + " from " + low + " to " + high + (reverse ? " in reverse" : "");
    }
  }

  /** A page has to show what the commits in its snapshot's lists have made. */
  void check(Page page, Map<Long, List<Integer>> lists) {
    work.count("pages");
    Map<Long, String> found = new TreeMap<>();
    page.entries.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    if (!page.isInOrder()) {
      work.problem("a page out of order: " + page);
    }
    Map<Long, String> made = made(lists);
    for (long key = page.low; key <= page.high; key++) {
      if (!Objects.equals(found.get(key), made.get(key))) {
        work.problem(
            ("a page shows of key " + key + " " + found.get(key))
                + (", and its snapshot has " + made.get(key) + ": " + page + ", " + lists));
      }
    }
    checkWhole(lists);
  }

  private Map<Long, String> made(Map<Long, List<Integer>> lists) {
    Map<Long, String> made = new TreeMap<>();
    lists.forEach((group, list) -> {
      for (int number : list) {
        Intended one = intended(number);
        for (long key : one.keys()) {
          if (group(key) == group) {
            put(made, key, one.values().get(key));
          }
        }
      }
    });
    return made;
  }

  private static void put(Map<Long, String> made, long key, @Nullable String value) {
    if (value == null) {
      made.remove(key);
    } else {
      made.put(key, value);
    }
  }

  private Intended intended(int number) {
    return Objects.requireNonNull(intended.get(number), "a number that was given");
  }

  /** Each commit is in all of its lists, or in none. */
  private void checkWhole(Map<Long, List<Integer>> lists) {
    lists.forEach((group, list) -> {
      for (int number : list) {
        for (long other : intended(number).told().keys) {
          if (!lists.getOrDefault(other, List.of()).contains(number)) {
            work.problem("a snapshot has a part of " + intended(number).told() + ": " + lists);
          }
        }
      }
    });
  }

  /**
   * A page sees nothing older than the page before saw.
   *
   * @param isOne whether both are to be of the same snapshot
   */
  void goesOn(Map<Long, List<Integer>> before, Map<Long, List<Integer>> now, boolean isOne) {
    before.forEach((group, list) -> {
      List<Integer> later = now.getOrDefault(group, List.of());
      boolean right =
          isOne
              ? later.equals(list)
              : later.size() >= list.size() && later.subList(0, list.size()).equals(list);
      if (!right) {
        work.problem("a page of " + now + " after one of " + before + (isOne ? ", in one" : ""));
      }
    });
  }

  /** Commits that have to be in a snapshot. */
  void shows(Map<Long, List<Integer>> lists, List<Told> commits) {
    for (Told told : commits) {
      for (long group : told.keys) {
        if (!lists.getOrDefault(group, List.of()).contains(told.number)) {
          work.problem("a snapshot without " + told + ", which was told before: " + lists);
        }
      }
    }
  }
}
