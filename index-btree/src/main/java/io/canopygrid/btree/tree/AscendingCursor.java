package io.canopygrid.btree.tree;

/** Steps upwards from the first key at or above the one it was made for. */
final class AscendingCursor<V> extends LeafCursor<V> {
  AscendingCursor(Path path, Leaf leaf, byte[] from) {
    super(path, leaf);
    int at = leaf.search(from);
    index = (at < 0 ? ~at : at) - 1;
  }

  @Override
  public boolean next() {
    if (index + 1 < count) {
      return standOn(index + 1);
    }
    Leaf leaf = path.next();
    if (leaf == null) {
      return end(count);
    }
    enter(leaf);
    return standOn(0);
  }
}
