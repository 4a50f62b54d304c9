package io.canopygrid.map;

import io.canopygrid.Cursor;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The entries within bounds, in batches of one transaction each: few entries at first, as many
 * iterations are left early, then more. Nothing is open between two batches. Confined to one
 * thread.
 */
final class Batches<K, V> implements Iterator<Map.Entry<K, V>> {
  private static final int FIRST = 16;
  private static final int MOST = 256;

  private final IndexAccess<K, V> access;
  private final boolean descending;

  /** The bounds of all that was not fetched yet. */
  private Bounds<K> rest;

  private Iterator<Map.Entry<K, V>> batch = Collections.emptyIterator();
  private int limit = FIRST;
  private boolean ended;

  Batches(IndexAccess<K, V> access, Bounds<K> bounds, boolean descending) {
    this.access = access;
    this.rest = bounds;
    this.descending = descending;
  }

  @Override
  public boolean hasNext() {
    if (!batch.hasNext() && !ended) {
      fetch();
    }
    return batch.hasNext();
  }

  @Override
  public Map.Entry<K, V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all entries were handed out");
    }
    return batch.next();
  }

  private void fetch() {
    Bounds<K> from = rest;
    int most = limit;
    List<Map.Entry<K, V>> fetched =
        access.read(view -> {
          try (Cursor<K, V> cursor = view.scan(from.range()).limit(most)) {
            return (descending ? cursor.reverse() : cursor).stream().toList();
          }
        });
    ended = fetched.size() < most;
    if (!fetched.isEmpty()) {
      K last = fetched.get(fetched.size() - 1).getKey();
      rest = descending ? from.below(last, false) : from.above(last, false);
    }
    limit = Math.min(MOST, 2 * most);
    batch = fetched.iterator();
  }
}
