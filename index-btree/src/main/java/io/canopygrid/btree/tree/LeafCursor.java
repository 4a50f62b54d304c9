package io.canopygrid.btree.tree;

import io.canopygrid.gmu.spi.OrderedCursor;

/** The place of a cursor: an index in a leaf, and the way back up. */
abstract class LeafCursor<V> implements OrderedCursor<V> {
  final Path path;

  /** The index of the entry under the cursor; if none, of the one next to its next step. */
  int index;

  /** The number of entries of the leaf. */
  int count;

  private boolean onEntry;
  private byte[][] keys;
  private Object[] values;

  /** Stands in the leaf at the end of the path. */
  LeafCursor(Path path, Leaf leaf) {
    this.path = path;
    this.count = leaf.count;
    this.keys = leaf.keys;
    this.values = leaf.values;
  }

  final void enter(Leaf leaf) {
    count = leaf.count;
    keys = leaf.keys;
    values = leaf.values;
  }

  final boolean standOn(int at) {
    index = at;
    onEntry = true;
    return true;
  }

  /** There are no more entries; next to {@code at}, there will be none either. */
  final boolean end(int at) {
    index = at;
    onEntry = false;
    return false;
  }

  @Override
  public final byte[] key() {
    requireEntry();
    return keys[index];
  }

  @Override
  @SuppressWarnings("unchecked") // only values of the tree's own type are put into its leaves
  public final V value() {
    requireEntry();
    return (V) values[index];
  }

  private void requireEntry() {
    if (!onEntry) {
      throw new IllegalStateException(
          "the cursor stands on no entry: next() has to give true first");
    }
  }
}
