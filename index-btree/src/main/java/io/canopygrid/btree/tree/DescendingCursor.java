package io.canopygrid.btree.tree;

/** Steps downwards from the last key before the index it was made for. */
final class DescendingCursor<V> extends LeafCursor<V> {
  DescendingCursor(Path path, Leaf leaf, int below) {
    super(path, leaf);
    index = below;
  }

  @Override
  public boolean next() {
    if (index > 0) {
      return standOn(index - 1);
    }
    Leaf leaf = path.previous();
    if (leaf == null) {
      return end(0);
    }
    enter(leaf);
    return standOn(count - 1);
  }
}
