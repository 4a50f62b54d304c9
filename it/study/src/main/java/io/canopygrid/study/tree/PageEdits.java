package io.canopygrid.study.tree;

import io.canopygrid.gmu.spi.NodeThreads;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Does an operation on the pages of its transaction, with the splits that it needs. */
final class PageEdits {
  private final PageTransaction tx;
  private final TreeLayout layout;
  private final NodeThreads threads;

  PageEdits(PageTransaction tx, TreeLayout layout, NodeThreads threads) {
    this.tx = tx;
    this.layout = layout;
    this.threads = threads;
  }

  /** Writes a leaf, and splits it and what is above it where it has become too large. */
  void put(Descent way, byte[] key, Page leaf) throws TimeoutException {
    PageRef ref = way.end();
    if (leaf.size() <= layout.arity()) {
      tx.write(ref, leaf);
      return;
    }
    // A split changes inner pages, which therefore have to be part of the transaction.
    Descent exact = Descent.toLeaf(tx, layout.root(), key, true);
    List<Descent.Step> steps = exact == null ? List.of() : exact.steps();
    Page full = leaf;
    for (int i = steps.size() - 1; i > 0; i--) {
      PageRef right = splitRight(steps.get(i).ref(), full);
      PageRef parent = steps.get(i - 1).ref();
      Page above = steps.get(i - 1).page().withChild(full.middle(), right);
      if (above.size() <= layout.arity()) {
        tx.write(parent, above);
        return;
      }
      full = above;
    }
    splitRoot(full);
  }

  /** Keeps the lower half of a page where it is and puts the upper one into a new page. */
  private PageRef splitRight(PageRef ref, Page full) {
    long id = newId();
    PageRef right = new PageRef(full.level(), layout.kcl(full.level(), id, ref.kcl()), id);
    tx.write(right, full.upper());
    tx.write(ref, full.lower(right));
    return right;
  }

  /** The root stays where it is: both halves become new pages. */
  private void splitRoot(Page full) {
    long leftId = newId();
    long rightId = newId();
    int level = full.level();
    PageRef left = new PageRef(level, layout.kcl(level, leftId, leftId), leftId);
    PageRef right = new PageRef(level, layout.kcl(level, rightId, rightId), rightId);
    tx.write(left, full.lower(right));
    tx.write(right, full.upper());
    tx.write(
        layout.root(),
        Page.inner(
            level + 1, full.low(), full.high(), List.of(full.middle()), List.of(left, right)));
  }

  /** A new id that is not the root's, and by chance not another page's. */
  private long newId() {
    return 1 + (threads.random(1L << 31) << 31 | threads.random(1L << 31));
  }
}
