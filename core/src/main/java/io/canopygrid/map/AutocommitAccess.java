package io.canopygrid.map;

import io.canopygrid.Canopy;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A transaction for each call. Thread-safe. */
final class AutocommitAccess<K, V> implements IndexAccess<K, V> {
  /** Most entries that one transaction of {@link #clear} takes away. */
  private static final int CLEARED_AT_ONCE = 500;

  private final Canopy db;
  private final TransactionOptions options;
  private final Index<K, V> index;

  AutocommitAccess(Canopy db, TransactionOptions options, Index<K, V> index) {
    this.db = db;
    this.options = options;
    this.index = index;
  }

  @Override
  public <T extends @Nullable Object> T read(Function<ReadView<K, V>, T> body) {
    return db.<T, RuntimeException>read(options, tx -> body.apply(tx.on(index)));
  }

  @Override
  public <T extends @Nullable Object> T write(Function<MutableView<K, V>, T> body) {
    return db.<T, RuntimeException>call(options, tx -> body.apply(tx.on(index)));
  }

  @Override
  public Iterator<Map.Entry<K, V>> entries(Bounds<K> bounds, boolean descending) {
    return new Batches<>(this, bounds, descending);
  }

  /** An entry that others have removed meanwhile does not come back by this. */
  @Override
  public void set(K key, V value) {
    if (write(view -> view.replace(key, value)) == null) {
      throw new IllegalStateException("the entry is not there any more");
    }
  }

  @Override
  public boolean remove(Map.Entry<K, V> seen, ValueForm<V> values) {
    K key = seen.getKey();
    return write(view -> {
      V found = view.get(key);
      if (found == null || !values.same(found, seen.getValue())) {
        return false;
      }
      view.remove(key);
      return true;
    });
  }

  /**
   * The keys are read in one transaction and taken away in another, which reads nothing and so
   * conflicts with nothing. Each step goes on behind the one before, so there is an end however
   * much others add.
   */
  @Override
  public void clear(Bounds<K> bounds) {
    Bounds<K> rest = bounds;
    List<K> keys = firstKeys(rest);
    while (!keys.isEmpty()) {
      List<K> batch = keys;
      write(view -> {
        batch.forEach(view::remove);
        return batch;
      });
      rest = rest.above(batch.get(batch.size() - 1), false);
      keys = batch.size() < CLEARED_AT_ONCE ? List.of() : firstKeys(rest);
    }
  }

  private List<K> firstKeys(Bounds<K> bounds) {
    return read(view -> {
      try (Cursor<K, V> cursor = view.scan(bounds.range()).limit(CLEARED_AT_ONCE)) {
        return cursor.keys().toList();
      }
    });
  }
}
