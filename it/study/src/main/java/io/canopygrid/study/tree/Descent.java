package io.canopygrid.study.tree;

import io.canopygrid.gmu.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The way from a page down to the leaf of a key. A page that is read outside of the snapshot may be
 * older or newer than it. So if a leaf found this way does not cover the key, the descent is
 * repeated with every page read in the snapshot.
 *
 * @param steps from the first page to the leaf, or to the last page above {@code stop}
 * @param end the leaf, or the page right below the cut-off
 */
record Descent(List<Step> steps, PageRef end) {
  /** A page on the way. */
  record Step(PageRef ref, Page page) {}

  /** The leaf. */
  Page leaf() {
    Page last = steps.get(steps.size() - 1).page();
    Invariant.holds(last.isLeaf(), "the way ends at level %s", last.level());
    return last;
  }

  /**
   * Goes down to the leaf.
   *
   * @param exact every page is read in the snapshot and validated
   * @return null where the way and the snapshot do not fit together
   */
  static @Nullable Descent toLeaf(PageTransaction tx, PageRef from, byte[] key, boolean exact)
      throws TimeoutException {
    return down(tx, from, key, exact, 0);
  }

  /** Goes down to the reference of the page at a level, which it does not read. */
  static @Nullable Descent toLevel(PageTransaction tx, PageRef from, byte[] key, int level)
      throws TimeoutException {
    return down(tx, from, key, false, level + 1);
  }

  private static @Nullable Descent down(
      PageTransaction tx, PageRef from, byte[] key, boolean exact, int stop)
      throws TimeoutException {
    List<Step> steps = new ArrayList<>();
    PageRef at = from;
    while (at.level() >= stop) {
      Page page = exact || at.level() == 0 ? tx.read(at) : tx.onTheWay(at);
      if (page == null || !page.covers(key)) {
        Invariant.holds(!exact, "a snapshot's tree has a gap at %s", at);
        return null;
      }
      steps.add(new Step(at, page));
      if (page.isLeaf()) {
        break;
      }
      at = page.children().get(page.childOf(key));
    }
    return new Descent(steps, at);
  }
}
