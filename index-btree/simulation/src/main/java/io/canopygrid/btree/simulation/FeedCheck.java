package io.canopygrid.btree.simulation;

import io.canopygrid.Change;
import io.canopygrid.ChangeSet;
import io.canopygrid.Range;
import io.canopygrid.btree.simulation.NumberLists.Told;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an index that one follower keeps by a feed, and the checks of what the feed tells: each
 * transaction whole and once, after all that it has read or overwritten, and with the values of
 * before.
 */
final class FeedCheck {
  /** The first key that has no list. */
  static final long SWITCHES = 100;

  private final HandleWork work;

  /** The keys that are followed: those of the lists up to this one, and above. */
  private final long lastKey;

  private final Map<Integer, Told> tolds;

  /** By number what a commit has read without writing it. */
  private final Map<Integer, Read> reads;

  private final Map<Long, String> copy = new TreeMap<>();

  /** The numbers of the commits that are in the copy, or were seen in its beginning. */
  private final Set<Integer> applied = new HashSet<>();

  /** The numbers that the feed which is open now has told. */
  private final Set<Integer> toldNow = new HashSet<>();

  /**
   * The list that a commit has read and left as it was.
   *
   * @param size of the list
   */
  record Read(long key, int size) {}

  FeedCheck(HandleWork work, long lastKey, Map<Integer, Told> tolds, Map<Integer, Read> reads) {
    this.work = work;
    this.lastKey = lastKey;
    this.tolds = tolds;
    this.reads = reads;
  }

  /** The keys that are followed. */
  Range<Long> range() {
    return lastKey == Long.MAX_VALUE ? Range.all() : Range.atMost(lastKey);
  }

  /** The copy begins with a state. */
  void begins(Map<Long, String> state) {
    copy.clear();
    applied.clear();
    state.forEach((key, value) -> {
      if (key <= lastKey) {
        copy.put(key, value);
        if (key < SWITCHES) {
          applied.addAll(NumberLists.of(value));
        }
      }
    });
    opens();
  }

  /** Another feed goes on from a position of the one before. */
  void opens() {
    toldNow.clear();
  }

  /** Takes what the feed has told. */
  void apply(ChangeSet<Long, String> set) {
    Integer number = number(set);
    Told told = number == null ? null : tolds.get(number);
    if (number == null || told == null) {
      work.problem("a feed tells of no commit: " + set);
      return;
    }
    if (!toldNow.add(number)) {
      work.problem("a feed tells " + told + " twice");
      return;
    }
    if (!applied.add(number)) {
      work.count("repeated");
      return;
    }
    work.count("followed");
    isWhole(told, set);
    isAfterItsReads(told);
    for (Change<Long, String> change : set.changes()) {
      String here = copy.get(change.key());
      if (!Objects.equals(here, change.before())) {
        work.problem("a feed tells " + told + " with " + change + ", and the copy has " + here);
      }
      put(change);
    }
  }

  private void put(Change<Long, String> change) {
    String after = change.after();
    if (after == null) {
      copy.remove(change.key());
    } else {
      copy.put(change.key(), after);
    }
  }

  /** The number that a commit has appended to each of its lists; null: to none. */
  private static @Nullable Integer number(ChangeSet<Long, String> set) {
    for (Change<Long, String> change : set.changes()) {
      if (change.key() < SWITCHES) {
        List<Integer> list = NumberLists.of(change.after());
        return list.isEmpty() ? null : list.get(list.size() - 1);
      }
    }
    return null;
  }

  private void isWhole(Told told, ChangeSet<Long, String> set) {
    Set<Long> keys = new TreeSet<>();
    set.changes().stream().map(Change::key).filter(key -> key < SWITCHES).forEach(keys::add);
    Set<Long> expected = new TreeSet<>(told.keys);
    expected.removeIf(key -> key > lastKey);
    boolean hasSwitch = set.changes().stream().anyMatch(change -> change.key() >= SWITCHES);
    if (!keys.equals(expected) || hasSwitch != (lastKey >= SWITCHES)) {
      work.problem("a feed tells a part of " + told + ": " + set);
    }
  }

  private void isAfterItsReads(Told told) {
    Read read = reads.get(told.number);
    if (read != null && read.key() <= lastKey) {
      int here = NumberLists.of(copy.get(read.key())).size();
      if (here != read.size()) {
        work.problem("a feed tells " + told + " out of order: it has read " + read + " of " + here);
      }
    }
  }

  /** Whether the copy is as the index is. */
  boolean isLike(Map<Long, String> state) {
    Map<Long, String> followed = new HashMap<>(state);
    followed.keySet().removeIf(key -> key > lastKey);
    return copy.equals(followed);
  }

  @Override
  public String toString() {
    return copy.toString();
  }
}
