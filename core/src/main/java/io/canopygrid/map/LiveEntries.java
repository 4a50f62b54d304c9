package io.canopygrid.map;

import java.util.AbstractMap.SimpleEntry;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Entries that can be taken away, and whose values can be set. Confined to one thread. */
final class LiveEntries<K, V> implements Iterator<Map.Entry<K, V>> {
  private final IndexAccess<K, V> access;
  private final Iterator<Map.Entry<K, V>> entries;

  /** The entry that was handed out last; null: none, or it is taken away. */
  private Map.@Nullable Entry<K, V> last;

  LiveEntries(IndexAccess<K, V> access, Iterator<Map.Entry<K, V>> entries) {
    this.access = access;
    this.entries = entries;
  }

  @Override
  public boolean hasNext() {
    return entries.hasNext();
  }

  @Override
  public Map.Entry<K, V> next() {
    Map.Entry<K, V> next = new LiveEntry(entries.next());
    last = next;
    return next;
  }

  @Override
  public void remove() {
    if (last == null) {
      throw new IllegalStateException("no entry was handed out since the last one was removed");
    }
    K key = last.getKey();
    access.write(view -> {
      view.remove(key);
      return key;
    });
    last = null;
  }

  /** An entry with the value that was read, or set through it. */
  private final class LiveEntry extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    LiveEntry(Map.Entry<K, V> entry) {
      super(entry);
    }

    @Override
    public V setValue(V value) {
      access.set(getKey(), Objects.requireNonNull(value, "the value is null"));
      return super.setValue(value);
    }
  }
}
