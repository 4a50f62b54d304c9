package io.canopygrid.map;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values of a map, in the order of their keys. */
final class IndexValues<K, V> extends AbstractCollection<V> {
  private final Slice<K, V> slice;

  IndexValues(Slice<K, V> slice) {
    this.slice = slice;
  }

  @Override
  public Iterator<V> iterator() {
    Iterator<Map.Entry<K, V>> entries = slice.liveEntries();
    return new MappedIterator<>(entries, Map.Entry::getValue);
  }

  @Override
  public Spliterator<V> spliterator() {
    return OrderedSpliterator.of(iterator());
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
  public boolean contains(@Nullable Object value) {
    if (value == null) {
      return false;
    }
    Iterator<Map.Entry<K, V>> entries = slice.entries();
    while (entries.hasNext()) {
      if (slice.values().same(entries.next().getValue(), value)) {
        return true;
      }
    }
    return false;
  }

  /** Takes away the first entry with this value. */
  @Override
  public boolean remove(@Nullable Object value) {
    if (value == null) {
      return false;
    }
    Iterator<Map.Entry<K, V>> entries = slice.entries();
    while (entries.hasNext()) {
      Map.Entry<K, V> entry = entries.next();
      if (slice.values().same(entry.getValue(), value)
          && slice.access().remove(entry, slice.values())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean removeIf(Predicate<? super V> condition) {
    Objects.requireNonNull(condition);
    return slice.removeIf(entry -> condition.test(entry.getValue()));
  }

  @Override
  public boolean removeAll(Collection<?> others) {
    Objects.requireNonNull(others);
    return removeIf(others::contains);
  }

  @Override
  public boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others);
    return removeIf(value -> !others.contains(value));
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

  private List<V> read() {
    List<V> values = new ArrayList<>();
    iterator().forEachRemaining(values::add);
    return values;
  }
}
