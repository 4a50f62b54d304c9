package io.canopygrid.map;

import io.canopygrid.Cursor;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of an index that a map shows, in the map's direction. Words such as first and above are
 * meant in that direction.
 */
record Slice<K, V>(
    IndexAccess<K, V> access, Bounds<K> bounds, ValueForm<V> values, boolean descending) {
  /** The same in the other direction. */
  Slice<K, V> reversed() {
    return new Slice<>(access, bounds, values, !descending);
  }

  /**
   * A part of it.
   *
   * @param from the first key; null: as of this slice
   * @param to the last key; null: as of this slice
   * @throws IllegalArgumentException as of {@link Bounds#part}
   */
  Slice<K, V> part(@Nullable K from, boolean fromInclusive, @Nullable K to, boolean toInclusive) {
    Bounds<K> part =
        descending
            ? bounds.part(to, toInclusive, from, fromInclusive)
            : bounds.part(from, fromInclusive, to, toInclusive);
    return new Slice<>(access, part, values, descending);
  }

  /** A caller's key, which need not be within the bounds. */
  K key(@Nullable Object key) {
    return bounds.order().checked(key);
  }

  /** A caller's key for a write, which has to be within the bounds. */
  K keyWithin(@Nullable K key) {
    K checked = key(key);
    if (!bounds.contains(checked)) {
      throw new IllegalArgumentException("the key is out of the map's range");
    }
    return checked;
  }

  /** The value of a caller's key, null where there is none. */
  @Nullable V get(@Nullable Object key) {
    K checked = key(key);
    return bounds.contains(checked) ? access.read(view -> view.get(checked)) : null;
  }

  /** The number of its keys as the JDK's collections tell it; counts them. */
  int size() {
    long count = access.read(view -> view.count(bounds.range()));
    return (int) Math.min(count, Integer.MAX_VALUE);
  }

  boolean isEmpty() {
    return end(false) == null;
  }

  /** The first or the last entry, null where there is none. */
  Map.@Nullable Entry<K, V> end(boolean last) {
    return access.read(view -> first(view, bounds, descending != last));
  }

  /** The entry nearest to a key on one side, null where there is none. */
  Map.@Nullable Entry<K, V> nearest(@Nullable K key, boolean inclusive, boolean below) {
    K checked = key(key);
    boolean fromAbove = below != descending;
    Bounds<K> side =
        fromAbove ? bounds.below(checked, inclusive) : bounds.above(checked, inclusive);
    return access.read(view -> first(view, side, fromAbove));
  }

  /** Takes away the first or the last entry; null where there is none. */
  Map.@Nullable Entry<K, V> poll(boolean last) {
    return access.write(view -> {
      Map.Entry<K, V> end = first(view, bounds, descending != last);
      if (end != null) {
        view.remove(end.getKey());
      }
      return end;
    });
  }

  private static <K, V> Map.@Nullable Entry<K, V> first(
      ReadView<K, V> view, Bounds<K> bounds, boolean fromAbove) {
    try (Cursor<K, V> cursor = view.scan(bounds.range()).limit(1)) {
      Iterator<Map.Entry<K, V>> entry = (fromAbove ? cursor.reverse() : cursor).iterator();
      return entry.hasNext() ? entry.next() : null;
    }
  }

  /** Takes away a caller's key; its value, null where there was none. */
  @Nullable V remove(@Nullable Object key) {
    K checked = key(key);
    return access.<@Nullable V>write(view -> {
      V old = bounds.contains(checked) ? view.get(checked) : null;
      if (old != null) {
        view.remove(checked);
      }
      return old;
    });
  }

  /** Takes away a caller's key if it has this value; whether it had. */
  boolean remove(@Nullable Object key, @Nullable Object value) {
    K checked = key(key);
    return access.write(view -> {
      boolean found = has(view, checked, value);
      if (found) {
        view.remove(checked);
      }
      return found;
    });
  }

  /** Sets another value if the key has this one; whether it had. */
  boolean replace(@Nullable K key, V expected, V value) {
    K checked = keyWithin(key);
    return access.write(view -> {
      boolean found = has(view, checked, expected);
      if (found) {
        view.put(checked, value);
      }
      return found;
    });
  }

  private boolean has(MutableView<K, V> view, K key, @Nullable Object value) {
    V found = value == null || !bounds.contains(key) ? null : view.get(key);
    return found != null && values.same(found, Objects.requireNonNull(value));
  }

  /** The entries from the first one on. */
  Iterator<Map.Entry<K, V>> entries() {
    return access.entries(bounds, descending);
  }

  /** The same, each of which can be taken away and changed through it. */
  Iterator<Map.Entry<K, V>> liveEntries() {
    return new LiveEntries<>(access, entries());
  }

  /** Takes away the entries that fulfil a condition; whether there was one. */
  boolean removeIf(Predicate<? super Map.Entry<K, V>> condition) {
    Objects.requireNonNull(condition, "the condition is null");
    boolean removed = false;
    Iterator<Map.Entry<K, V>> entries = entries();
    while (entries.hasNext()) {
      Map.Entry<K, V> entry = entries.next();
      removed |= condition.test(entry) && access.remove(entry, values);
    }
    return removed;
  }

  void clear() {
    access.clear(bounds);
  }
}
