package io.canopygrid.btree.tree;

import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import org.jspecify.annotations.Nullable;

/**
 * The tree as it was in one moment. All that it reaches was written before it was made and does not
 * change, and its fields are final, so that any way of handing it to another thread will do.
 */
final class TreeView<V> implements OrderedView<V> {
  final TreeNode root;
  final int height;
  private final int size;

  TreeView(TreeNode root, int height, int size) {
    this.root = root;
    this.height = height;
    this.size = size;
  }

  /** The value of a key under a node. */
  static @Nullable Object find(TreeNode root, byte[] key) {
    TreeNode node = root;
    while (node instanceof Inner inner) {
      node = inner.children[inner.childFor(key)];
    }
    return ((Leaf) node).get(key);
  }

  @Override
  @SuppressWarnings("unchecked") // only values of the tree's own type are put into its leaves
  public @Nullable V get(byte[] key) {
    return (V) find(root, key);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public OrderedCursor<V> ascending(byte[] from) {
    Path path = new Path(height);
    return new AscendingCursor<>(path, path.descend(root, from), from);
  }

  @Override
  public OrderedCursor<V> descending(byte @Nullable [] below) {
    Path path = new Path(height);
    if (below == null) {
      Leaf leaf = path.descendToLast(root);
      return new DescendingCursor<>(path, leaf, leaf.count);
    }
    Leaf leaf = path.descend(root, below);
    int at = leaf.search(below);
    return new DescendingCursor<>(path, leaf, at < 0 ? ~at : at);
  }

  @Override
  public String toString() {
    return "TreeView[size=" + size + ", height=" + height + "]";
  }
}
