package io.canopygrid.history;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The versions of one thing: of a list, a register, or one row of a range.
 *
 * <p>Version 0 is the initial one, which nobody wrote. Versions are numbered as they become known;
 * their order is {@link #next}. The order is known from the initial version on to the end of the
 * <em>head</em>. Later versions that were never read in their place are in loose <em>segments</em>,
 * each in a known order in itself. One loose segment simply follows the head; several may follow in
 * any order (see {@link LooseOrders}).
 */
final class Timeline {
  static final int NONE = -1;

  private final String name;
  private final int[] writers;
  private final int[] next;
  private final boolean[] intermediate;
  private final int headEnd;
  private final int[][] loose;
  private boolean arranged;

  /**
   * Creates the timeline of versions whose writers are known.
   *
   * @param name in findings
   * @param writers transaction of each version; {@link #NONE} for version 0
   * @param segments the versions in order; the first one is the head and begins with version 0
   */
  Timeline(String name, int[] writers, List<int[]> segments) {
    this.name = name;
    this.writers = writers;
    this.next = new int[writers.length];
    Arrays.fill(next, NONE);
    for (int[] segment : segments) {
      for (int i = 0; i + 1 < segment.length; i++) {
        next[segment[i]] = segment[i + 1];
      }
    }
    int[] head = segments.get(0);
    this.headEnd = head[head.length - 1];
    this.loose = segments.subList(1, segments.size()).toArray(int[][]::new);
    this.intermediate = new boolean[writers.length];
    for (int[] segment : segments) {
      Set<Integer> later = new HashSet<>();
      for (int i = segment.length - 1; i >= 0; i--) {
        intermediate[segment[i]] = !later.add(writers[segment[i]]);
      }
    }
    if (loose.length <= 1) {
      int[] order = new int[loose.length];
      arrange(order);
    }
  }

  /** Puts the loose segments after the head in the given order. */
  void arrange(int[] order) {
    int end = headEnd;
    for (int which : order) {
      next[end] = loose[which][0];
      end = loose[which][loose[which].length - 1];
    }
    next[end] = NONE;
    arranged = true;
  }

  String name() {
    return name;
  }

  int versions() {
    return writers.length;
  }

  int looseSegments() {
    return loose.length;
  }

  /** The writer of a version; {@link #NONE} for the initial one. */
  int writer(int version) {
    return writers[version];
  }

  /**
   * Whether the version's writer wrote a later one too, so that no other transaction may see it.
   */
  boolean intermediate(int version) {
    return intermediate[version];
  }

  /** The versions that may come right after this one: one, none, or several of unknown order. */
  int[] successors(int version) {
    if (next[version] != NONE) {
      return new int[] {next[version]};
    }
    if (arranged || version != headEnd) {
      return new int[0];
    }
    return Arrays.stream(loose).mapToInt(segment -> segment[0]).toArray();
  }

  /** The place of each version in the order; {@link #NONE} where it is unknown. */
  int[] places() {
    int[] places = new int[writers.length];
    Arrays.fill(places, NONE);
    for (int version = 0, place = 0; version != NONE; version = next[version]) {
      places[version] = place++;
    }
    return places;
  }
}
