package io.canopygrid.btree.tree;

import io.canopygrid.gmu.Invariant;
import org.jspecify.annotations.Nullable;

/**
 * Steps upwards from the first key at or above the one it was made for.
 *
 * <p>A scan waits for memory, a leaf, then its two arrays, line by line. So whoever enters a leaf
 * asks for all lines of its arrays at once, and for the leaf that comes next: none of these loads
 * depends on another one, so that they arrive together.
 */
final class AscendingCursor<V> extends LeafCursor<V> {
  /** How many references a cache line has. */
  private static final int LINE = 16;

  private @Nullable Leaf ahead;
  private byte @Nullable [][] keysAhead;

  AscendingCursor(Path path, Leaf leaf, byte[] from) {
    super(path, leaf);
    int at = leaf.search(from);
    index = (at < 0 ? ~at : at) - 1;
    load(leaf, index + 1);
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
    Invariant.holds(
        ahead == null || (ahead == leaf && keysAhead == leaf.keys),
        "a leaf of a view was changed under a cursor");
    enter(leaf);
    load(leaf, 0);
    return standOn(0);
  }

  private void load(Leaf leaf, int from) {
    Leaf sibling = path.sibling();
    ahead = sibling;
    keysAhead = sibling == null ? null : sibling.keys;
    for (int i = from; i < count; i += LINE) {
      Invariant.holds(leaf.keys[i] != null && leaf.values[i] != null, "a slot in use is empty");
    }
  }
}
