package io.canopygrid.map;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/** The keys of a map. */
final class IndexKeys<K, V> extends AbstractSet<K> implements NavigableSet<K> {
  private final NavigableMap<K, V> map;

  IndexKeys(NavigableMap<K, V> map) {
    this.map = map;
  }

  @Override
  public Iterator<K> iterator() {
    Iterator<Map.Entry<K, V>> entries = map.entrySet().iterator();
    return new MappedIterator<>(entries, Map.Entry::getKey);
  }

  @Override
  public Spliterator<K> spliterator() {
    return OrderedSpliterator.ofSorted(iterator(), comparator());
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(@Nullable Object key) {
    return map.containsKey(key);
  }

  @Override
  public boolean remove(@Nullable Object key) {
    return map.remove(key) != null;
  }

  /** Unlike the superclass's without asking for the number of keys. */
  @Override
  public boolean removeAll(Collection<?> others) {
    boolean removed = false;
    for (Object other : others) {
      removed |= remove(other);
    }
    return removed;
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Object[] toArray() {
    return read().toArray();
  }

  @Override
  public <T extends @Nullable Object> T[] toArray(T[] array) {
    return read().toArray(array);
  }

  private List<K> read() {
    List<K> keys = new ArrayList<>();
    iterator().forEachRemaining(keys::add);
    return keys;
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return map.comparator();
  }

  @Override
  public K first() {
    return map.firstKey();
  }

  @Override
  public K last() {
    return map.lastKey();
  }

  @Override
  public @Nullable K lower(K key) {
    return map.lowerKey(key);
  }

  @Override
  public @Nullable K floor(K key) {
    return map.floorKey(key);
  }

  @Override
  public @Nullable K ceiling(K key) {
    return map.ceilingKey(key);
  }

  @Override
  public @Nullable K higher(K key) {
    return map.higherKey(key);
  }

  @Override
  public @Nullable K pollFirst() {
    return keyOf(map.pollFirstEntry());
  }

  @Override
  public @Nullable K pollLast() {
    return keyOf(map.pollLastEntry());
  }

  private static <K, V> @Nullable K keyOf(Map.@Nullable Entry<K, V> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return map.descendingKeySet();
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return map.subMap(from, fromInclusive, to, toInclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return map.headMap(to, inclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return map.tailMap(from, inclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> subSet(K from, K to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<K> headSet(K to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<K> tailSet(K from) {
    return tailSet(from, true);
  }
}
