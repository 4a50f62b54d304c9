package io.canopygrid.btree.tree;

import java.util.Arrays;

/**
 * The arrays of a node: the first {@code count} elements are in use, the others are empty. An array
 * that is not the node's own is shared with a node that a view can reach, and is copied first.
 */
final class Slots {
  private static final int SMALLEST_STEP = 8;

  private Slots() {}

  /** The length of a new array for so many elements: little slack, as most nodes rest. */
  static int capacity(int count) {
    int step = Math.max(SMALLEST_STEP, Integer.highestOneBit(count) >>> 3);
    return (count + step - 1) & -step;
  }

  /** The array, or a copy, with the elements from {@code at} on moved up by one. */
  static long[] opened(long[] from, int count, int at, boolean own) {
    long[] to = own && count < from.length ? from : Arrays.copyOf(from, capacity(count + 1));
    System.arraycopy(from, at, to, at + 1, count - at);
    return to;
  }

  /** The array, or a copy, with the elements from {@code at} on moved up by one. */
  static <T> T[] opened(T[] from, int count, int at, boolean own) {
    T[] to = own && count < from.length ? from : Arrays.copyOf(from, capacity(count + 1));
    System.arraycopy(from, at, to, at + 1, count - at);
    return to;
  }

  /** The array, or a copy, without the element {@code at}. */
  static long[] closed(long[] from, int count, int at, boolean own) {
    long[] to = own ? from : Arrays.copyOf(from, capacity(count));
    System.arraycopy(from, at + 1, to, at, count - 1 - at);
    return to;
  }

  /** The array, or a copy, without the element {@code at}. */
  @SuppressWarnings("NullAway") // slots not in use are null, and are never read
  static <T> T[] closed(T[] from, int count, int at, boolean own) {
    T[] to = own ? from : Arrays.copyOf(from, capacity(count));
    System.arraycopy(from, at + 1, to, at, count - 1 - at);
    to[count - 1] = null;
    return to;
  }

  /** A new array of the elements {@code from} to {@code to}, the latter not included. */
  static long[] slice(long[] elements, int from, int to) {
    long[] slice = new long[capacity(to - from)];
    System.arraycopy(elements, from, slice, 0, to - from);
    return slice;
  }

  /** A new array of the elements {@code from} to {@code to}, the latter not included. */
  static <T> T[] slice(T[] elements, int from, int to) {
    T[] slice = Arrays.copyOfRange(elements, from, from + capacity(to - from));
    Arrays.fill(slice, to - from, slice.length, null);
    return slice;
  }

  /** A new array of the elements of both, one after the other. */
  static <T> T[] joined(T[] left, int leftCount, T[] right, int rightCount) {
    T[] joined = Arrays.copyOf(left, leftCount + rightCount);
    System.arraycopy(right, 0, joined, leftCount, rightCount);
    return joined;
  }
}
