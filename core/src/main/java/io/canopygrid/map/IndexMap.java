package io.canopygrid.map;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An index as a map. Every method that changes something is one body of {@link IndexAccess#write},
 * so it is atomic in both kinds of maps, apart from those of whole collections.
 *
 * @param <M> the kind of its parts
 */
abstract class IndexMap<K, V, M extends NavigableMap<K, V>> extends AbstractMap<K, V>
    implements NavigableMap<K, V> {
  private final Slice<K, V> slice;

  IndexMap(Slice<K, V> slice) {
    this.slice = slice;
  }

  /** A map of the same kind. */
  abstract M of(Slice<K, V> other);

  @Override
  public final int size() {
    return slice.size();
  }

  @Override
  public final boolean isEmpty() {
    return slice.isEmpty();
  }

  @Override
  public final boolean containsKey(@Nullable Object key) {
    K checked = slice.key(key);
    return slice.bounds().contains(checked)
        && slice.access().read(view -> view.containsKey(checked));
  }

  @Override
  public final boolean containsValue(@Nullable Object value) {
    return values().contains(value);
  }

  @Override
  public final @Nullable V get(@Nullable Object key) {
    return slice.get(key);
  }

  @Override
  public final @Nullable V getOrDefault(@Nullable Object key, @Nullable V otherwise) {
    V found = get(key);
    return found == null ? otherwise : found;
  }

  @Override
  public final @Nullable V put(K key, V value) {
    K checked = slice.keyWithin(key);
    V given = checked(value);
    return slice
        .access()
        .<@Nullable V>write(view -> {
          V old = view.get(checked);
          view.put(checked, given);
          return old;
        });
  }

  /** All or nothing. The other map may be of transactions too, so it is read before. */
  @Override
  public final void putAll(Map<? extends K, ? extends V> entries) {
    List<Map.Entry<K, V>> given = new ArrayList<>();
    entries.forEach((key, value) -> given.add(Map.entry(slice.keyWithin(key), checked(value))));
    slice
        .access()
        .write(view -> {
          given.forEach(entry -> view.put(entry.getKey(), entry.getValue()));
          return given;
        });
  }

  @Override
  public final @Nullable V putIfAbsent(K key, V value) {
    K checked = slice.keyWithin(key);
    V given = checked(value);
    return slice.access().<@Nullable V>write(view -> view.putIfAbsent(checked, given));
  }

  @Override
  public final @Nullable V remove(@Nullable Object key) {
    return slice.remove(key);
  }

  @Override
  public final boolean remove(@Nullable Object key, @Nullable Object value) {
    return slice.remove(key, value);
  }

  @Override
  public final boolean replace(K key, V expected, V value) {
    V wanted = checked(expected);
    V given = checked(value);
    return slice.replace(key, wanted, given);
  }

  @Override
  public final @Nullable V replace(K key, V value) {
    K checked = slice.keyWithin(key);
    V given = checked(value);
    return slice.access().<@Nullable V>write(view -> view.replace(checked, given));
  }

  @Override
  public final @Nullable V computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> function) {
    K checked = slice.keyWithin(key);
    Objects.requireNonNull(function, "the function is null");
    return slice
        .access()
        .<@Nullable V>write(view -> {
          V old = view.get(checked);
          if (old != null) {
            return old;
          }
          V made = function.apply(checked);
          if (made != null) {
            view.put(checked, made);
          }
          return made;
        });
  }

  @Override
  public final @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "the function is null");
    return compute(key, (same, old) -> old == null ? null : function.apply(same, old));
  }

  @Override
  public final @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    K checked = slice.keyWithin(key);
    Objects.requireNonNull(function, "the function is null");
    return slice.access().<@Nullable V>write(view -> view.compute(checked, function));
  }

  @Override
  public final @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    K checked = slice.keyWithin(key);
    V given = checked(value);
    Objects.requireNonNull(function, "the function is null");
    return slice.access().<@Nullable V>write(view -> view.merge(checked, given, function));
  }

  @Override
  public final void clear() {
    slice.clear();
  }

  private static <V> V checked(@Nullable V value) {
    return Objects.requireNonNull(value, "the value is null");
  }

  @Override
  public final Set<Map.Entry<K, V>> entrySet() {
    return new IndexEntries<>(slice);
  }

  @Override
  public final Collection<V> values() {
    return new IndexValues<>(slice);
  }

  @Override
  public final NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  @Override
  public final NavigableSet<K> navigableKeySet() {
    return new IndexKeys<>(this);
  }

  @Override
  public final NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  @Override
  public final @Nullable Comparator<? super K> comparator() {
    return slice.bounds().order().comparator(slice.descending());
  }

  @Override
  public final Map.@Nullable Entry<K, V> firstEntry() {
    return slice.end(false);
  }

  @Override
  public final Map.@Nullable Entry<K, V> lastEntry() {
    return slice.end(true);
  }

  @Override
  public final K firstKey() {
    return keyThere(firstEntry());
  }

  @Override
  public final K lastKey() {
    return keyThere(lastEntry());
  }

  private static <K, V> K keyThere(Map.@Nullable Entry<K, V> entry) {
    if (entry == null) {
      throw new NoSuchElementException("the map is empty");
    }
    return entry.getKey();
  }

  @Override
  public final Map.@Nullable Entry<K, V> pollFirstEntry() {
    return slice.poll(false);
  }

  @Override
  public final Map.@Nullable Entry<K, V> pollLastEntry() {
    return slice.poll(true);
  }

  @Override
  public final Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return slice.nearest(key, false, true);
  }

  @Override
  public final @Nullable K lowerKey(K key) {
    return keyOf(lowerEntry(key));
  }

  @Override
  public final Map.@Nullable Entry<K, V> floorEntry(K key) {
    return slice.nearest(key, true, true);
  }

  @Override
  public final @Nullable K floorKey(K key) {
    return keyOf(floorEntry(key));
  }

  @Override
  public final Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return slice.nearest(key, true, false);
  }

  @Override
  public final @Nullable K ceilingKey(K key) {
    return keyOf(ceilingEntry(key));
  }

  @Override
  public final Map.@Nullable Entry<K, V> higherEntry(K key) {
    return slice.nearest(key, false, false);
  }

  @Override
  public final @Nullable K higherKey(K key) {
    return keyOf(higherEntry(key));
  }

  private static <K, V> @Nullable K keyOf(Map.@Nullable Entry<K, V> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public final M descendingMap() {
    return of(slice.reversed());
  }

  @Override
  public final M subMap(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return of(slice.part(slice.key(from), fromInclusive, slice.key(to), toInclusive));
  }

  @Override
  public final M headMap(K to, boolean inclusive) {
    return of(slice.part(null, false, slice.key(to), inclusive));
  }

  @Override
  public final M tailMap(K from, boolean inclusive) {
    return of(slice.part(slice.key(from), inclusive, null, false));
  }

  @Override
  public final M subMap(K from, K to) {
    return subMap(from, true, to, false);
  }

  @Override
  public final M headMap(K to) {
    return headMap(to, false);
  }

  @Override
  public final M tailMap(K from) {
    return tailMap(from, true);
  }
}
