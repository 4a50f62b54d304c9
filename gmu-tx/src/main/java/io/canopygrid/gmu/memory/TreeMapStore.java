package io.canopygrid.gmu.memory;

import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The simplest ordered store: a {@link TreeMap}, copied for a view. It is for grids with few keys
 * and no tree of their own, and a twin of real stores. Views may be read on any thread.
 */
public final class TreeMapStore<V> implements OrderedStore<V> {
  /** Makes empty stores. */
  public static final Factory FACTORY =
      new Factory() {
        @Override
        public <V> OrderedStore<V> create() {
          return new TreeMapStore<>();
        }
      };

  private final NavigableMap<byte[], V> map = new TreeMap<>(Arrays::compareUnsigned);
  private @Nullable OrderedView<V> view;

  @Override
  public @Nullable V get(byte[] key) {
    return map.get(key);
  }

  @Override
  public @Nullable V put(byte[] key, V value) {
    view = null;
    return map.put(key, value);
  }

  @Override
  public @Nullable V remove(byte[] key) {
    view = null;
    return map.remove(key);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public OrderedView<V> view() {
    OrderedView<V> current = view;
    if (current == null) {
      current = new View<>(new TreeMap<>(map));
      view = current;
    }
    return current;
  }

  /** A copy that does not change. */
  private record View<V>(NavigableMap<byte[], V> map) implements OrderedView<V> {
    @Override
    public @Nullable V get(byte[] key) {
      return map.get(key);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public OrderedCursor<V> ascending(byte[] from) {
      return new Cursor<>(map.tailMap(from, true));
    }

    @Override
    public OrderedCursor<V> descending(byte @Nullable [] below) {
      return new Cursor<>(
          below == null ? map.descendingMap() : map.headMap(below, false).descendingMap());
    }
  }

  private static final class Cursor<V> implements OrderedCursor<V> {
    private final Iterator<Map.Entry<byte[], V>> rest;
    private Map.@Nullable Entry<byte[], V> at;

    private Cursor(Map<byte[], V> entries) {
      rest = entries.entrySet().iterator();
    }

    @Override
    public boolean next() {
      at = rest.hasNext() ? rest.next() : null;
      return at != null;
    }

    @Override
    public byte[] key() {
      return entry().getKey();
    }

    @Override
    public V value() {
      return entry().getValue();
    }

    private Map.Entry<byte[], V> entry() {
      if (at == null) {
        throw new IllegalStateException("the cursor stands on nothing");
      }
      return at;
    }
  }
}
