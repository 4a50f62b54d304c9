package io.canopygrid.study.tree;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Builds a study tree from entries in order, level by level, its pages three quarters full, and
 * writes it in a few transactions. No other transaction may use the tree meanwhile.
 */
public final class TreeBuilder {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int ATTEMPTS = 10;

  private final GmuNode node;
  private final Variant variant;
  private final int tree;
  private final int arity;
  private final int pagesPerCommit;

  /** Prepares a tree with a number of its own. */
  public TreeBuilder(GmuNode node, Variant variant, int tree, int arity, int pagesPerCommit) {
    this.node = node;
    this.variant = variant;
    this.tree = tree;
    this.arity = arity;
    this.pagesPerCommit = pagesPerCommit;
  }

  /** A page whose place is not chosen yet. */
  private record Draft(long id, int level, Page page, List<Draft> below) {}

  /** Builds it. */
  public Built build(SortedMap<byte[], byte[]> entries) {
    List<Draft> level = leaves(entries);
    while (level.size() > 1 || level.get(0).level() == 0) {
      level = above(level);
    }
    Draft root = level.get(0);
    TreeLayout layout = new TreeLayout(variant, tree, arity, variant.cutLevel(root.level()));
    Map<PageRef, Page> pages = new LinkedHashMap<>();
    place(layout, root, layout.root(), null, pages);
    return new Built(layout, root.level(), pages.size(), write(layout, pages));
  }

  /**
   * The tree that was built.
   *
   * @param rootLevel the root's level, at least 1
   * @param clock of the last commit
   */
  public record Built(TreeLayout layout, int rootLevel, int pages, VectorClock clock) {}

  private List<Draft> leaves(SortedMap<byte[], byte[]> entries) {
    List<byte[]> keys = List.copyOf(entries.keySet());
    List<byte[]> values = List.copyOf(entries.values());
    List<Draft> leaves = new ArrayList<>();
    int fill = fill();
    for (int from = 0; from == 0 || from < keys.size(); from += fill) {
      int to = Math.min(from + fill, keys.size());
      byte[] low = from == 0 ? new byte[0] : keys.get(from);
      byte[] high = to < keys.size() ? keys.get(to) : null;
      leaves.add(
          new Draft(
              newId(),
              0,
              Page.leaf(low, high, keys.subList(from, to), values.subList(from, to), null),
              List.of()));
    }
    return leaves;
  }

  private int fill() {
    return Math.max(2, arity * 3 / 4);
  }

  private List<Draft> above(List<Draft> children) {
    List<Draft> level = new ArrayList<>();
    int fill = fill();
    for (int from = 0; from < children.size(); from += fill) {
      List<Draft> below = children.subList(from, Math.min(from + fill, children.size()));
      Page first = below.get(0).page();
      byte[] high = below.get(below.size() - 1).page().high();
      List<byte[]> keys = below.stream().skip(1).map(child -> child.page().low()).toList();
      int above = below.get(0).level() + 1;
      level.add(
          new Draft(newId(), above, Page.inner(above, first.low(), high, keys, List.of()), below));
    }
    return level;
  }

  /**
   * Chooses the places of what is below a page, and then has the page's children.
   *
   * @param next the place of the leaf to the right of all of this
   * @return the place of its first leaf
   */
  private PageRef place(
      TreeLayout layout,
      Draft draft,
      PageRef at,
      @Nullable PageRef next,
      Map<PageRef, Page> pages) {
    Page page = draft.page();
    if (page.isLeaf()) {
      pages.put(at, Page.leaf(page.low(), page.high(), page.keys(), page.values(), next));
      return at;
    }
    List<PageRef> children = new ArrayList<>();
    for (Draft child : draft.below()) {
      children.add(
          new PageRef(child.level(), layout.kcl(child.level(), child.id(), at.kcl()), child.id()));
    }
    PageRef right = next;
    for (int i = children.size() - 1; i >= 0; i--) {
      right = place(layout, draft.below().get(i), children.get(i), right, pages);
    }
    pages.put(at, Page.inner(page.level(), page.low(), page.high(), page.keys(), children));
    return right == null ? at : right;
  }

  private VectorClock write(TreeLayout layout, Map<PageRef, Page> pages) {
    VectorClock clock = VectorClock.ZERO;
    List<Footprint.Write> batch = new ArrayList<>();
    for (Map.Entry<PageRef, Page> page : pages.entrySet()) {
      CompositeKey key = layout.key(page.getKey());
      batch.add(new Footprint.Write(key, page.getValue().toBytes(), null));
      if (batch.size() >= pagesPerCommit) {
        clock = clock.join(commit(batch));
        batch.clear();
      }
    }
    return batch.isEmpty() ? clock : clock.join(commit(batch));
  }

  private VectorClock commit(List<Footprint.Write> batch) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      GmuTransaction tx = node.begin(VectorClock.ZERO, node.threads().nanoTime() + TIMEOUT_NANOS);
      try {
        Footprint footprint = new Footprint(List.of(), List.of(), batch);
        if (tx.commit(footprint, "study load") instanceof Outcome.Committed committed) {
          return committed.clock();
        }
      } finally {
        tx.end();
      }
    }
    throw new CanopyException(ErrorCode.TIMEOUT, "a study tree could not be loaded");
  }

  private long newId() {
    return 1 + (node.threads().random(1L << 31) << 31 | node.threads().random(1L << 31));
  }
}
