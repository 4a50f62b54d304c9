package io.canopygrid.study.tree;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a study tree: a leaf with entries, or an inner page with separators and children. Pages
 * are never merged; one may be empty. Immutable.
 *
 * @param level 0 for a leaf
 * @param low the lowest key that it covers
 * @param high the end, exclusive, of what it covers; null: it has no end
 * @param keys of a leaf its entries' keys, of an inner page the lowest keys of all children but the
 *     first; in order
 * @param values of a leaf, one for each key
 * @param children of an inner page, one more than keys
 * @param next of a leaf the one to the right; null: there is none
 */
record Page(
    int level,
    byte[] low,
    byte @Nullable [] high,
    List<byte[]> keys,
    List<byte[]> values,
    List<PageRef> children,
    @Nullable PageRef next) {

  static Page leaf(
      byte[] low,
      byte @Nullable [] high,
      List<byte[]> keys,
      List<byte[]> values,
      @Nullable PageRef next) {
    return new Page(0, low, high, keys, values, List.of(), next);
  }

  static Page inner(
      int level, byte[] low, byte @Nullable [] high, List<byte[]> keys, List<PageRef> children) {
    return new Page(level, low, high, keys, List.of(), children, null);
  }

  boolean isLeaf() {
    return level == 0;
  }

  boolean covers(byte[] key) {
    return Arrays.compareUnsigned(low, key) <= 0
        && (high == null || Arrays.compareUnsigned(key, high) < 0);
  }

  /** The number of entries or children. */
  int size() {
    return isLeaf() ? keys.size() : children.size();
  }

  /** The position of the key, or -1 minus the position where it would be. */
  private int search(byte[] key) {
    int from = 0;
    int to = keys.size() - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      int order = Arrays.compareUnsigned(keys.get(middle), key);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        from = middle + 1;
      } else {
        to = middle - 1;
      }
    }
    return -1 - from;
  }

  /** The index of the child that covers the key. */
  int childOf(byte[] key) {
    int at = search(key);
    return at >= 0 ? at + 1 : -1 - at;
  }

  byte @Nullable [] get(byte[] key) {
    int at = search(key);
    return at >= 0 ? values.get(at) : null;
  }

  /** The index of the first key at or above this one. */
  int ceiling(byte[] key) {
    int at = search(key);
    return at >= 0 ? at : -1 - at;
  }

  /**
   * The leaf with a changed entry.
   *
   * @param value null: without the entry
   */
  Page with(byte[] key, byte @Nullable [] value) {
    int at = search(key);
    List<byte[]> newKeys = new ArrayList<>(keys);
    List<byte[]> newValues = new ArrayList<>(values);
    if (value == null) {
      if (at >= 0) {
        newKeys.remove(at);
        newValues.remove(at);
      }
    } else if (at >= 0) {
      newValues.set(at, value);
    } else {
      newKeys.add(-1 - at, key);
      newValues.add(-1 - at, value);
    }
    return leaf(low, high, newKeys, newValues, next);
  }

  /** The inner page after the child that covers {@code separator} was split there. */
  Page withChild(byte[] separator, PageRef right) {
    int at = childOf(separator);
    List<byte[]> newKeys = new ArrayList<>(keys);
    List<PageRef> newChildren = new ArrayList<>(children);
    newKeys.add(at, separator);
    newChildren.add(at + 1, right);
    return inner(level, low, high, newKeys, newChildren);
  }

  /** The key at which the page is split. */
  byte[] middle() {
    return isLeaf() ? keys.get(keys.size() / 2) : keys.get(children.size() / 2 - 1);
  }

  /**
   * The lower half.
   *
   * @param right where the upper half goes
   */
  Page lower(PageRef right) {
    int half = size() / 2;
    return isLeaf()
        ? leaf(low, middle(), keys.subList(0, half), values.subList(0, half), right)
        : inner(level, low, middle(), keys.subList(0, half - 1), children.subList(0, half));
  }

  /** The upper half. */
  Page upper() {
    int half = size() / 2;
    return isLeaf()
        ? leaf(
            middle(),
            high,
            keys.subList(half, keys.size()),
            values.subList(half, values.size()),
            next)
        : inner(
            level,
            middle(),
            high,
            keys.subList(half, keys.size()),
            children.subList(half, children.size()));
  }

  byte[] toBytes() {
    ByteWriter out = new ByteWriter(1024);
    out.writeByte(level).writeBytes(low).writeByte(high == null ? 0 : 1);
    if (high != null) {
      out.writeBytes(high);
    }
    out.writeVarLong(keys.size());
    keys.forEach(out::writeBytes);
    values.forEach(out::writeBytes);
    children.forEach(child -> child.write(out));
    if (isLeaf()) {
      out.writeByte(next == null ? 0 : 1);
      if (next != null) {
        next.write(out);
      }
    }
    return out.toBytes();
  }

  static Page of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    int level = in.readByte();
    byte[] low = in.readBytes();
    byte[] high = in.readByte() == 0 ? null : in.readBytes();
    int count = in.readCount(in.remaining());
    List<byte[]> keys = list(in, count);
    if (level == 0) {
      List<byte[]> values = list(in, count);
      return leaf(low, high, keys, values, in.readByte() == 0 ? null : PageRef.read(in));
    }
    List<PageRef> children = new ArrayList<>(count + 1);
    for (int i = 0; i <= count; i++) {
      children.add(PageRef.read(in));
    }
    return inner(level, low, high, keys, children);
  }

  private static List<byte[]> list(ByteReader in, int count) {
    List<byte[]> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(in.readBytes());
    }
    return list;
  }
}
