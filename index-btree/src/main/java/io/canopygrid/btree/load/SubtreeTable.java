package io.canopygrid.btree.load;

import io.canopygrid.btree.subtree.SubtreeHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counters of some subtrees: an open-addressing table that is searched without a lock, and
 * replaced as a whole when a subtree is new. Thread-safe, but for {@link #retain}.
 */
final class SubtreeTable {
  private static final int LEAST_SLOTS = 64;

  private final LongFunction<SubtreeCounters> fresh;

  /** A power of two; at most half of it used. Never changed but by replacing it. */
  private volatile @Nullable SubtreeCounters[] slots = new SubtreeCounters[LEAST_SLOTS];

  private int used;

  /**
   * An empty table.
   *
   * @param fresh the counters of a subtree that has none yet
   */
  SubtreeTable(LongFunction<SubtreeCounters> fresh) {
    this.fresh = fresh;
  }

  /** The counters of a subtree, new ones where there are none; null: the kcl is no subtree's. */
  @Nullable SubtreeCounters of(long kcl) {
    SubtreeCounters found = find(kcl);
    return found != null || !SubtreeHeader.isSubtree(kcl) ? found : add(kcl);
  }

  /** The counters of a subtree, new ones where there are none, which the table does not have. */
  SubtreeCounters findOrFresh(long kcl) {
    SubtreeCounters found = find(kcl);
    return found == null ? fresh.apply(kcl) : found;
  }

  private @Nullable SubtreeCounters find(long kcl) {
    @Nullable SubtreeCounters[] table = slots;
    int mask = table.length - 1;
    for (int at = slot(kcl, mask); ; at = at + 1 & mask) {
      SubtreeCounters counters = table[at];
      if (counters == null || counters.kcl == kcl) {
        return counters;
      }
    }
  }

  /** A kcl is mixed already. */
  private static int slot(long kcl, int mask) {
    return (int) (kcl >>> 32 ^ kcl) & mask;
  }

  private synchronized SubtreeCounters add(long kcl) {
    SubtreeCounters found = find(kcl);
    if (found == null) {
      found = fresh.apply(kcl);
      List<SubtreeCounters> all = new ArrayList<>(used + 1);
      for (SubtreeCounters counters : slots) {
        if (counters != null) {
          all.add(counters);
        }
      }
      all.add(found);
      retain(all);
    }
    return found;
  }

  /**
   * Keeps these counters and no others. If a subtree was added while they were collected, the uses
   * counted for it in that moment are lost.
   */
  synchronized void retain(List<SubtreeCounters> all) {
    int length = LEAST_SLOTS;
    while (length < 2 * all.size()) {
      length *= 2;
    }
    SubtreeCounters[] next = new SubtreeCounters[length];
    for (SubtreeCounters counters : all) {
      int at = slot(counters.kcl, length - 1);
      while (next[at] != null) {
        at = at + 1 & length - 1;
      }
      next[at] = counters;
    }
    used = all.size();
    slots = next;
  }
}
