package io.canopygrid.history;

import java.util.Arrays;

/** A growing array of ints. */
final class IntList {
  private int[] items = new int[16];
  private int size;

  void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    items[size++] = item;
  }

  int get(int i) {
    if (i >= size) {
      throw new IndexOutOfBoundsException("index must be < " + size + ": " + i);
    }
    return items[i];
  }

  int removeLast() {
    return items[--size];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(items, size);
  }
}
