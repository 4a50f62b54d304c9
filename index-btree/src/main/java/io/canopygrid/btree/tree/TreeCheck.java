package io.canopygrid.btree.tree;

import static io.canopygrid.gmu.Invariant.holds;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Looks at every node of a tree and throws at the first thing that is not as it must be. */
final class TreeCheck {
  private final int arity;
  private final int height;

  /** No node is of a later epoch. */
  private final long epoch;

  private int entries;

  TreeCheck(int arity, int height, long epoch) {
    this.arity = arity;
    this.height = height;
    this.epoch = epoch;
  }

  void check(TreeNode root, int size) {
    holds(root.epoch <= epoch, "the root is of epoch %s, the tree of %s", root.epoch, epoch);
    visit(root, 0, null, null);
    holds(entries == size, "the leaves have %s entries, the tree's size is %s", entries, size);
  }

  private void visit(TreeNode node, int depth, byte @Nullable [] low, byte @Nullable [] high) {
    holds(
        depth == height ? node instanceof Leaf : node instanceof Inner,
        "a node at depth %s is of the wrong kind, the height is %s",
        depth,
        height);
    occupancy(node, depth);
    order(node, low, high);
    heads(node);
    if (node instanceof Inner inner) {
      unused(inner.children, inner.count + 1, "child");
      for (int i = 0; i <= inner.count; i++) {
        TreeNode child = inner.children[i];
        holds(
            child.epoch <= inner.epoch,
            "a node of epoch %s is below one of epoch %s",
            child.epoch,
            inner.epoch);
        byte[] childLow = i == 0 ? low : inner.keys[i - 1];
        byte[] childHigh = i == inner.count ? high : inner.keys[i];
        visit(child, depth + 1, childLow, childHigh);
      }
    } else if (node instanceof Leaf leaf) {
      unused(leaf.values, leaf.count, "value");
      entries += leaf.count;
    }
  }

  private void occupancy(TreeNode node, int depth) {
    int least = depth > 0 ? arity / 2 : node instanceof Inner ? 1 : 0;
    holds(
        node.count >= least && node.count <= arity,
        "a node at depth %s has %s keys, not %s to %s",
        depth,
        node.count,
        least,
        arity);
    holds(node.heads.length >= node.count, "%s heads for %s keys", node.heads.length, node.count);
    unused(node.keys, node.count, "key");
  }

  private static void unused(@Nullable Object[] slots, int count, String what) {
    holds(slots.length >= count, "%s slots for %s of kind %s", slots.length, count, what);
    for (int i = 0; i < slots.length; i++) {
      holds(
          (slots[i] != null) == (i < count),
          "the slot of %s %s of %s is wrongly empty or in use",
          what,
          i,
          count);
    }
  }

  private static void order(TreeNode node, byte @Nullable [] low, byte @Nullable [] high) {
    for (int i = 0; i < node.count; i++) {
      byte[] key = node.keys[i];
      if (i > 0) {
        ordered(node.keys[i - 1], key, true, "keys of one node are not ascending");
      }
      if (low != null) {
        ordered(low, key, false, "a key is below the separator on the left");
      }
      if (high != null) {
        ordered(key, high, true, "a key is not below the separator on the right");
      }
    }
  }

  private static void ordered(byte[] a, byte[] b, boolean strictly, String what) {
    int order = Arrays.compareUnsigned(a, b);
    if (strictly ? order >= 0 : order > 0) {
      HexFormat hex = HexFormat.of();
      holds(false, what + ": %s, %s", hex.formatHex(a), hex.formatHex(b));
    }
  }

  private static void heads(TreeNode node) {
    int prefix =
        node.count == 0 ? 0 : KeyBytes.commonPrefix(node.keys[0], node.keys[node.count - 1]);
    holds(
        node.prefixLength == prefix,
        "the prefix of a node is %s bytes long, not %s",
        prefix,
        node.prefixLength);
    for (int i = 0; i < node.count; i++) {
      holds(
          node.heads[i] == KeyBytes.head(node.keys[i], prefix),
          "head %s of a node is not that of its key",
          i);
    }
  }
}
