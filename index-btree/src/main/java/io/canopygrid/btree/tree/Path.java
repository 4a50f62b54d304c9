package io.canopygrid.btree.tree;

import org.jspecify.annotations.Nullable;

/** The inner nodes from a root to one of its leaves, and which child was taken at each. */
final class Path {
  /** As long as the path. */
  private final Inner[] inners;

  private final int[] children;

  /** For trees whose leaves are so many levels below the root. */
  Path(int height) {
    this.inners = new Inner[height];
    this.children = new int[height];
  }

  /** The number of inner nodes above the leaf. */
  int height() {
    return inners.length;
  }

  Inner inner(int level) {
    return inners[level];
  }

  /** The index of the child that was taken at a level; the root's level is 0. */
  int child(int level) {
    return children[level];
  }

  /** Puts the copy of an inner node into its place. */
  void replace(int level, Inner inner) {
    inners[level] = inner;
  }

  /** The leaf in which the key belongs. */
  Leaf descend(TreeNode root, byte[] key) {
    TreeNode node = root;
    for (int level = 0; level < inners.length; level++) {
      Inner inner = (Inner) node;
      int child = inner.childFor(key);
      inners[level] = inner;
      children[level] = child;
      node = inner.children[child];
    }
    return (Leaf) node;
  }

  /** The last leaf. */
  Leaf descendToLast(TreeNode root) {
    return toLast(root, 0);
  }

  /** Goes on to the leaf on the right; null, and stays, if there is none. */
  @Nullable Leaf next() {
    int level = inners.length - 1;
    while (level >= 0 && children[level] == inners[level].count) {
      level--;
    }
    if (level < 0) {
      return null;
    }
    children[level]++;
    TreeNode node = inners[level].children[children[level]];
    for (int below = level + 1; below < inners.length; below++) {
      inners[below] = (Inner) node;
      children[below] = 0;
      node = inners[below].children[0];
    }
    return (Leaf) node;
  }

  /** Goes back to the leaf on the left; null, and stays, if there is none. */
  @Nullable Leaf previous() {
    int level = inners.length - 1;
    while (level >= 0 && children[level] == 0) {
      level--;
    }
    if (level < 0) {
      return null;
    }
    children[level]--;
    return toLast(inners[level].children[children[level]], level + 1);
  }

  private Leaf toLast(TreeNode top, int fromLevel) {
    TreeNode node = top;
    for (int level = fromLevel; level < inners.length; level++) {
      Inner inner = (Inner) node;
      inners[level] = inner;
      children[level] = inner.count;
      node = inner.children[inner.count];
    }
    return (Leaf) node;
  }
}
