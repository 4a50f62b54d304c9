package io.canopygrid.btree.tree;

import org.jspecify.annotations.Nullable;

/** A node of entries: a value for each of its keys. */
final class Leaf extends TreeNode {
  private static final Object[] NO_VALUES = {};

  /** The value of each key, at the key's index. */
  Object[] values;

  private boolean ownsValues;

  Leaf(long epoch) {
    super(epoch);
    this.values = NO_VALUES;
  }

  private Leaf(long epoch, Leaf from) {
    super(epoch, from);
    this.values = from.values;
  }

  private Leaf(long epoch, Leaf of, int from, int to) {
    super(epoch, of, from, to);
    this.values = Slots.slice(of.values, from, to);
    this.ownsValues = true;
  }

  private Leaf(long epoch, byte[][] keys, Object[] values) {
    super(epoch, keys);
    this.values = values;
    this.ownsValues = true;
  }

  @Nullable Object get(byte[] key) {
    int at = key.length < prefixLength ? ~0 : find(key);
    return at < 0 ? null : values[at];
  }

  /**
   * The index of the key, or {@code -(i + 1)} where i is how many keys are below it. A key that is
   * here is found without a look at the prefix, which would be one more cache line to wait for.
   */
  int search(byte[] key) {
    int at = key.length < prefixLength ? ~0 : find(key);
    if (at >= 0) {
      return at;
    }
    int order = prefixOrder(key);
    return order == 0 ? at : order < 0 ? ~0 : ~count;
  }

  void insert(int at, byte[] key, Object value) {
    values = Slots.opened(values, count, at, ownsValues);
    ownsValues = true;
    values[at] = value;
    insertKey(at, key);
  }

  /** The value that was there. */
  Object replace(int at, Object value) {
    if (!ownsValues) {
      values = values.clone();
      ownsValues = true;
    }
    Object before = values[at];
    values[at] = value;
    return before;
  }

  /** The value that was there. */
  Object remove(int at) {
    final Object before = values[at];
    values = Slots.closed(values, count, at, ownsValues);
    ownsValues = true;
    removeKey(at);
    return before;
  }

  @Override
  Leaf copy(long epoch) {
    return new Leaf(epoch, this);
  }

  @Override
  byte[] separatorAt(int at) {
    return KeyBytes.separator(keys[at - 1], keys[at]);
  }

  @Override
  Leaf lowerPart(int at) {
    return new Leaf(epoch, this, 0, at);
  }

  @Override
  Leaf upperPart(int at) {
    return new Leaf(epoch, this, at, count);
  }

  @Override
  Leaf joinedWith(byte[] separator, TreeNode right, long epoch) {
    Leaf other = (Leaf) right;
    return new Leaf(
        epoch,
        Slots.joined(keys, count, other.keys, other.count),
        Slots.joined(values, count, other.values, other.count));
  }
}
