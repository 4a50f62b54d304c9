package io.canopygrid.btree.tree;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A copy-on-write B+tree in main memory: the ordered store under each shard. The package's page
 * tells how it works.
 *
 * <p>Costs: a look-up and a cursor's first step O(log n), a further step O(1) and no allocation,
 * {@link #view()} O(1). A write costs O(log n) and, when it is the first on its path since the last
 * view, copies of the nodes on that path.
 *
 * <p>Thread rule: one thread at a time calls the methods of the tree; views and their content are
 * safe for any thread.
 */
public final class BPlusTree<V> implements OrderedStore<V> {
  /** The smallest number of keys per node that is allowed. */
  public static final int ARITY_MIN = 4;

  /** The greatest number of keys per node that is allowed. */
  public static final int ARITY_MAX = 1024;

  /**
   * The arity of {@link #factory()}: the best of those measured (docs/internals/performance.md).
   */
  public static final int ARITY_DEFAULT = 128;

  private final int arity;
  TreeNode root = new Leaf(0);

  /** The number of levels of inner nodes; each level is on every path. */
  private int height;

  private int size;

  /** Counts the views; nodes of this epoch are the writer's own. */
  private long epoch;

  /** The view of what the tree holds now; null after a change. */
  private @Nullable TreeView<V> current;

  /** The writer's way from the root to the leaf it works on. */
  private Path path = new Path(0);

  /**
   * An empty tree.
   *
   * @param arity the greatest number of keys in a node, {@value #ARITY_MIN} to {@value #ARITY_MAX};
   *     every node but the root has at least half as many
   * @throws IllegalArgumentException for an arity out of range
   */
  public BPlusTree(int arity) {
    if (arity < ARITY_MIN || arity > ARITY_MAX) {
      throw new IllegalArgumentException(
          "arity must be " + ARITY_MIN + " to " + ARITY_MAX + ": arity=" + arity);
    }
    this.arity = arity;
  }

  /** Makes trees of the default arity. */
  public static OrderedStore.Factory factory() {
    return factory(ARITY_DEFAULT);
  }

  /**
   * Makes trees of this arity.
   *
   * @throws IllegalArgumentException for an arity out of range
   */
  public static OrderedStore.Factory factory(int arity) {
    new BPlusTree<>(arity);
    return new OrderedStore.Factory() {
      @Override
      public <V> OrderedStore<V> create() {
        return new BPlusTree<>(arity);
      }
    };
  }

  @Override
  @SuppressWarnings("unchecked") // only values of type V are put into leaves
  public @Nullable V get(byte[] key) {
    return (V) TreeView.find(root, key);
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V put(byte[] key, V value) {
    Objects.requireNonNull(value, "value");
    Leaf found = path.descend(root, key);
    int at = found.search(key);
    Leaf leaf = own(found);
    if (at >= 0) {
      return (V) leaf.replace(at, value);
    }
    leaf.insert(~at, key, value);
    size++;
    splitWhereFull(leaf);
    return null;
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V remove(byte[] key) {
    Leaf found = path.descend(root, key);
    int at = found.search(key);
    if (at < 0) {
      return null;
    }
    Leaf leaf = own(found);
    V before = (V) leaf.remove(at);
    size--;
    Invariant.holds(size >= leaf.count, "a tree of %s entries has a leaf of more", size);
    joinWhereSparse(leaf);
    return before;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public OrderedView<V> view() {
    TreeView<V> view = current;
    if (view == null) {
      view = new TreeView<>(root, height, size);
      current = view;
      epoch++;
    }
    return view;
  }

  /** The greatest number of keys in a node. */
  public int arity() {
    return arity;
  }

  /**
   * Looks at the whole tree: order, separators, depth, occupancy, size, prefixes and which nodes
   * are the writer's. O(n).
   *
   * @throws io.canopygrid.gmu.InvariantViolation that names what is wrong
   */
  public void check() {
    new TreeCheck(arity, height, epoch).check(root, size);
  }

  /**
   * The leaf at the end of the path, or a copy that is the writer's own; the nodes above become the
   * writer's own, too. All nodes above an own node are own.
   */
  private Leaf own(Leaf leaf) {
    current = null;
    if (leaf.epoch == epoch) {
      return leaf;
    }
    Leaf copy = leaf.copy(epoch);
    TreeNode child = copy;
    for (int level = path.height() - 1; level >= 0; level--) {
      Inner inner = path.inner(level);
      Inner parent = inner.epoch == epoch ? inner : inner.copy(epoch);
      parent.replaceChild(path.child(level), child);
      if (parent == inner) {
        return copy;
      }
      path.replace(level, parent);
      child = parent;
    }
    root = child;
    return copy;
  }

  /** Cuts the node at the end of the path in two if it has too many keys, and so on upwards. */
  private void splitWhereFull(TreeNode end) {
    TreeNode node = end;
    for (int level = path.height() - 1; node.count > arity; level--) {
      int at = node.count / 2;
      TreeNode left = node.lowerPart(at);
      TreeNode right = node.upperPart(at);
      if (level < 0) {
        root = new Inner(epoch, left, node.separatorAt(at), right);
        setHeight(height + 1);
        return;
      }
      Inner parent = path.inner(level);
      int child = path.child(level);
      parent.replaceChild(child, left);
      parent.insert(child, node.separatorAt(at), right);
      node = parent;
    }
  }

  /**
   * Joins the node at the end of the path with a sibling if it has too few keys, and so on upwards.
   */
  private void joinWhereSparse(TreeNode end) {
    TreeNode node = end;
    for (int level = path.height() - 1; level >= 0 && node.count < arity / 2; level--) {
      Inner parent = path.inner(level);
      join(parent, Math.max(path.child(level) - 1, 0));
      node = parent;
    }
    if (root instanceof Inner inner && inner.count == 0) {
      root = inner.children[0];
      setHeight(height - 1);
    }
  }

  /** Makes one node of two neighbours, or shares their keys out evenly if one would be too full. */
  private void join(Inner parent, int left) {
    TreeNode both =
        parent.children[left].joinedWith(parent.keys[left], parent.children[left + 1], epoch);
    if (both.count <= arity) {
      parent.replaceChild(left, both);
      parent.remove(left);
      return;
    }
    int at = both.count / 2;
    parent.replaceKey(left, both.separatorAt(at));
    parent.replaceChild(left, both.lowerPart(at));
    parent.replaceChild(left + 1, both.upperPart(at));
  }

  private void setHeight(int height) {
    this.height = height;
    path = new Path(height);
  }
}
