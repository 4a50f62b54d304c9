package io.canopygrid.btree.simulation;

import io.canopygrid.CommitState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One sorted load, from its beginning until it stops: what it took, and what it said of it. */
final class LoadRun {
  final int number;
  private final List<Long> taken = new ArrayList<>();

  /** The numbers of entries that were told as committed, in order. */
  private final TreeSet<Integer> ends = new TreeSet<>(List.of(0));

  /** The numbers of entries that one part more than before has added to. */
  private final Set<Integer> singles = new HashSet<>();

  private boolean isFlushed;

  /** The state of the part that failed; null: none has. */
  private @Nullable CommitState failed;

  LoadRun(int number) {
    this.number = number;
  }

  /** The value of a key that this load loads. */
  String value(long key) {
    return String.format(Locale.ROOT, "load %05d of %06d", number, key);
  }

  void takes(long key) {
    taken.add(key);
    isFlushed = false;
  }

  /**
   * The loader says how many are committed.
   *
   * @param isSingle whether that is one more part at most
   */
  void committed(long entries, boolean isSingle) {
    int end = (int) entries;
    if (end > committed() && (isSingle || end == committed() + 1)) {
      singles.add(end);
    }
    ends.add(end);
  }

  /** The least number of entries that are there from now on. */
  int committed() {
    return ends.last();
  }

  void flushed() {
    isFlushed = true;
  }

  void failed(CommitState state) {
    failed = state;
  }

  /**
   * Checks what a snapshot has of the load.
   *
   * @param values all values of the index, by key
   * @param least how many entries must be there
   * @return how many entries are there
   */
  int check(Map<Long, String> values, int least, Consumer<String> problem) {
    int found = 0;
    while (found < taken.size() && isThere(values, found)) {
      found++;
    }
    for (int i = found; i < taken.size(); i++) {
      if (isThere(values, i)) {
        problem.accept(this + " has a gap: " + found + " entries, and then " + taken.get(i));
      }
    }
    if (found < least) {
      problem.accept(this + " has " + found + " entries, and said that " + least + " are there");
    }
    Integer below = ends.floor(found);
    Integer above = ends.higher(found);
    if (below != null && below != found && above != null && singles.contains(above)) {
      problem.accept(this + " has a half part: " + found + " entries");
    }
    return found;
  }

  private boolean isThere(Map<Long, String> values, int place) {
    long key = taken.get(place);
    return Objects.equals(values.get(key), value(key));
  }

  /** Checks what is there at the end. */
  void checkLast(Map<Long, String> values, Consumer<String> problem) {
    int found = check(values, committed(), problem);
    if (isFlushed && found < taken.size()) {
      problem.accept(this + " was flushed, and has " + found + " entries");
    }
    if (failed == CommitState.NOT_COMMITTED && found > committed()) {
      problem.accept(this + " said that no more are there, and has " + found + " entries");
    }
    committed(found, true);
  }

  /**
   * Whether a part that is known has keys on both sides of this one; known after {@link
   * #checkLast}.
   */
  boolean spans(long key) {
    for (int end : singles) {
      Integer begin = ends.lower(end);
      if (begin != null && taken.get(begin) < key && key < taken.get(end - 1)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "load "
        + number
        + (" of " + taken + ", parts " + ends)
        + (isFlushed ? ", flushed" : "")
        + (failed == null ? "" : ", failed " + failed);
  }
}
