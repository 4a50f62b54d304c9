package io.canopygrid.btree.tree;

import io.canopygrid.gmu.Invariant;
import java.util.Arrays;

/**
 * The common part of leaves and inner nodes: keys in order, and the search among them. In an inner
 * node the keys are separators.
 *
 * <p>Not thread-safe while the node is the writer's own; immutable from the moment that a view can
 * reach it (see the package's page).
 */
abstract class TreeNode {
  /** A prefix length that no keys have: heads made for it are not valid. */
  private static final int UNKNOWN = -1;

  /** The number of longs in a cache line. */
  private static final int STRIDE = 8;

  private static final int STRIDES_MAX = 16;

  private static final long[] NO_HEADS = {};
  private static final byte[][] NO_KEYS = {};

  /** The writer's epoch in which this node was made, and in which alone it may change. */
  final long epoch;

  /** The number of keys, which is the number of elements of the arrays that are in use. */
  int count;

  /**
   * The number of bytes that the first and the last key, and so all keys, share from their
   * beginnings; 0 without keys.
   */
  int prefixLength;

  /** {@link KeyBytes#head} of each key from {@link #prefixLength} on; ascending, not strictly. */
  long[] heads;

  /** Strictly ascending. */
  byte[][] keys;

  /** Whether the arrays of this node's keys are its own and not shared with the node it copies. */
  private boolean ownsKeys;

  /** A node without keys. */
  TreeNode(long epoch) {
    this.epoch = epoch;
    this.heads = NO_HEADS;
    this.keys = NO_KEYS;
  }

  /** A copy that shares the arrays until it changes them. */
  TreeNode(long epoch, TreeNode from) {
    this.epoch = epoch;
    this.count = from.count;
    this.prefixLength = from.prefixLength;
    this.heads = from.heads;
    this.keys = from.keys;
  }

  /** A node with the keys {@code from} to {@code to}, the latter not included, of another one. */
  TreeNode(long epoch, TreeNode of, int from, int to) {
    this.epoch = epoch;
    this.count = to - from;
    this.prefixLength = of.prefixLength;
    this.heads = Slots.slice(of.heads, from, to);
    this.keys = Slots.slice(of.keys, from, to);
    this.ownsKeys = true;
    refreshPrefix();
  }

  /** A node with these keys, whose array becomes its own. */
  TreeNode(long epoch, byte[][] keys) {
    this.epoch = epoch;
    this.count = keys.length;
    this.prefixLength = UNKNOWN;
    this.heads = new long[keys.length];
    this.keys = keys;
    this.ownsKeys = true;
    refreshPrefix();
  }

  /** A copy of this node, to be changed in this epoch. */
  abstract TreeNode copy(long epoch);

  /** The separator of the two halves when this node is cut before {@code at}. */
  abstract byte[] separatorAt(int at);

  /** A new node of the keys below {@link #separatorAt}. */
  abstract TreeNode lowerPart(int at);

  /** A new node of the keys that are not. */
  abstract TreeNode upperPart(int at);

  /**
   * A new node of all that this one and its right sibling hold, even if that is too much for one.
   */
  abstract TreeNode joinedWith(byte[] separator, TreeNode right, long epoch);

  /**
   * 0 if the key has the keys' prefix; else negative if it is below all keys, positive if above.
   */
  final int prefixOrder(byte[] key) {
    if (prefixLength == 0) {
      return 0;
    }
    int length = Math.min(key.length, prefixLength);
    return Arrays.compareUnsigned(key, 0, length, keys[0], 0, prefixLength);
  }

  /**
   * The index of the key, or {@code -(i + 1)} where i is how many keys are below it. The prefix is
   * not looked at. For a key that has another prefix, the result tells only that the key is not
   * here.
   *
   * @param key at least as long as the prefix
   */
  final int find(byte[] key) {
    long head = KeyBytes.head(key, prefixLength);
    int at = firstAtLeast(head);
    return at == count || heads[at] != head ? ~at : findAmongTies(key, head, at);
  }

  /**
   * The index of the first head that is not less; {@link #count} if there is none.
   *
   * <p>A binary search to the end would wait for one cache line after the other. Here the first
   * head of every line is compared, none of which depends on another, so that the lines arrive
   * together; only a wide node is halved first.
   */
  final int firstAtLeast(long head) {
    long[] heads = this.heads;
    int from = 0;
    int to = count;
    while (to - from > STRIDES_MAX * STRIDE) {
      int middle = (from + to) >>> 1;
      if (heads[middle] < head) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    int line = from;
    for (int i = from + STRIDE - 1; i < to; i += STRIDE) {
      line += heads[i] < head ? STRIDE : 0;
    }
    int end = Math.min(line + STRIDE, to);
    int at = line;
    for (int i = line; i < end; i++) {
      at += heads[i] < head ? 1 : 0;
    }
    return at;
  }

  /**
   * Searches among the keys with this head, the first of which is at {@code at}. It compares the
   * eight bytes behind the head, and the whole keys only where these agree, too. Many keys tie
   * where a node has keys of several kcls, as a root has.
   */
  private int findAmongTies(byte[] key, long head, int at) {
    int behind = prefixLength + Long.BYTES;
    long next = KeyBytes.head(key, Math.min(behind, key.length));
    int from = at;
    int to = at + 1;
    while (to < count && heads[to] == head) {
      to++;
    }
    while (from < to) {
      int middle = (from + to) >>> 1;
      byte[] other = keys[middle];
      long otherNext = KeyBytes.head(other, Math.min(behind, other.length));
      int order =
          otherNext == next ? Arrays.compareUnsigned(other, key) : Long.compare(otherNext, next);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return ~from;
  }

  final void insertKey(int at, byte[] key) {
    heads = Slots.opened(heads, count, at, ownsKeys);
    keys = Slots.opened(keys, count, at, ownsKeys);
    ownsKeys = true;
    count++;
    placeKey(at, key);
  }

  final void replaceKey(int at, byte[] key) {
    if (!ownsKeys) {
      heads = heads.clone();
      keys = keys.clone();
      ownsKeys = true;
    }
    placeKey(at, key);
  }

  final void removeKey(int at) {
    heads = Slots.closed(heads, count, at, ownsKeys);
    keys = Slots.closed(keys, count, at, ownsKeys);
    ownsKeys = true;
    count--;
    if (at == 0 || at == count) {
      refreshPrefix();
    }
  }

  private void placeKey(int at, byte[] key) {
    keys[at] = key;
    if (at == 0 || at == count - 1) {
      refreshPrefix();
    }
    long head = KeyBytes.head(key, prefixLength);
    heads[at] = head;
    Invariant.holds(
        (at == 0 || heads[at - 1] <= head) && (at == count - 1 || head <= heads[at + 1]),
        "a key does not belong at index %s of a node of %s",
        at,
        count);
  }

  /** Called when the first or the last key has changed: only these two decide on the prefix. */
  private void refreshPrefix() {
    int length = count == 0 ? 0 : KeyBytes.commonPrefix(keys[0], keys[count - 1]);
    if (length != prefixLength) {
      prefixLength = length;
      for (int i = 0; i < count; i++) {
        heads[i] = KeyBytes.head(keys[i], length);
      }
    }
  }
}
