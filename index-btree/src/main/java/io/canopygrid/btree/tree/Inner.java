package io.canopygrid.btree.tree;

/**
 * A node of separators and one child more than these: the keys of child i are at or above separator
 * i - 1 and below separator i.
 */
final class Inner extends TreeNode {
  /** {@link #count} + 1 of them. */
  TreeNode[] children;

  private boolean ownsChildren;

  /** A node over two others, for the tree that grows. */
  Inner(long epoch, TreeNode left, byte[] separator, TreeNode right) {
    this(epoch, new byte[][] {separator}, new TreeNode[] {left, right});
  }

  private Inner(long epoch, Inner from) {
    super(epoch, from);
    this.children = from.children;
  }

  private Inner(long epoch, Inner of, int from, int to) {
    super(epoch, of, from, to);
    this.children = Slots.slice(of.children, from, to + 1);
    this.ownsChildren = true;
  }

  private Inner(long epoch, byte[][] separators, TreeNode[] children) {
    super(epoch, separators);
    this.children = children;
    this.ownsChildren = true;
  }

  /** The index of the child under which the key belongs. */
  int childFor(byte[] key) {
    int order = prefixOrder(key);
    if (order != 0) {
      return order < 0 ? 0 : count;
    }
    int at = find(key);
    return at < 0 ? ~at : at + 1;
  }

  void replaceChild(int at, TreeNode child) {
    if (!ownsChildren) {
      children = children.clone();
      ownsChildren = true;
    }
    children[at] = child;
  }

  /** Puts a separator at an index and the child on its right. */
  void insert(int at, byte[] separator, TreeNode right) {
    children = Slots.opened(children, count + 1, at + 1, ownsChildren);
    ownsChildren = true;
    children[at + 1] = right;
    insertKey(at, separator);
  }

  /** Takes the separator at an index and the child on its right away. */
  void remove(int at) {
    children = Slots.closed(children, count + 1, at + 1, ownsChildren);
    ownsChildren = true;
    removeKey(at);
  }

  @Override
  Inner copy(long epoch) {
    return new Inner(epoch, this);
  }

  /** The separator there, which then stands in neither part but above them. */
  @Override
  byte[] separatorAt(int at) {
    return keys[at];
  }

  @Override
  Inner lowerPart(int at) {
    return new Inner(epoch, this, 0, at);
  }

  @Override
  Inner upperPart(int at) {
    return new Inner(epoch, this, at + 1, count);
  }

  @Override
  Inner joinedWith(byte[] separator, TreeNode right, long epoch) {
    Inner other = (Inner) right;
    byte[][] separators = Slots.joined(keys, count, new byte[][] {separator}, 1);
    return new Inner(
        epoch,
        Slots.joined(separators, count + 1, other.keys, other.count),
        Slots.joined(children, count + 1, other.children, other.count + 1));
  }
}
