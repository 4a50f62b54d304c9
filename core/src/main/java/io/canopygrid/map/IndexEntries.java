package io.canopygrid.map;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The entries of a map. */
final class IndexEntries<K, V> extends AbstractSet<Map.Entry<K, V>> {
  private final Slice<K, V> slice;

  IndexEntries(Slice<K, V> slice) {
    this.slice = slice;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return slice.liveEntries();
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return OrderedSpliterator.ofDistinct(iterator());
  }

  @Override
  public int size() {
    return slice.size();
  }

  @Override
  public boolean isEmpty() {
    return slice.isEmpty();
  }

  @Override
  public boolean contains(@Nullable Object o) {
    if (!(o instanceof Map.Entry<?, ?> entry) || entry.getValue() == null) {
      return false;
    }
    V found = slice.get(entry.getKey());
    return found != null && slice.values().same(found, entry.getValue());
  }

  @Override
  public boolean remove(@Nullable Object o) {
    return o instanceof Map.Entry<?, ?> entry && slice.remove(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean removeIf(Predicate<? super Map.Entry<K, V>> condition) {
    return slice.removeIf(condition);
  }

  /** Unlike the superclass's without asking for the number of entries. */
  @Override
  public boolean removeAll(Collection<?> others) {
    boolean removed = false;
    for (Object other : others) {
      removed |= remove(other);
    }
    return removed;
  }

  @Override
  public boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others);
    return removeIf(entry -> !others.contains(entry));
  }

  @Override
  public void clear() {
    slice.clear();
  }

  @Override
  public Object[] toArray() {
    return read().toArray();
  }

  @Override
  public <T extends @Nullable Object> T[] toArray(T[] array) {
    return read().toArray(array);
  }

  private List<Map.Entry<K, V>> read() {
    List<Map.Entry<K, V>> entries = new ArrayList<>();
    iterator().forEachRemaining(entries::add);
    return entries;
  }
}
