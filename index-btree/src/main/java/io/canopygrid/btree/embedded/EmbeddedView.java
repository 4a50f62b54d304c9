package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.btree.access.RangeScan;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** An index in an update transaction. */
final class EmbeddedView<K, V> extends EmbeddedReadView<K, V> implements MutableView<K, V> {
  EmbeddedView(OpenTransaction transaction, EmbeddedIndex<K, V> index) {
    super(transaction, index);
  }

  @Override
  public void put(K key, V value) {
    transaction.checkOpen();
    tree.put(entries.encodeKey(key), entries.encodeValue(value));
  }

  @Override
  public void insert(K key, V value) {
    if (putIfAbsent(key, value) != null) {
      throw new CanopyException(
          ErrorCode.KEY_EXISTS,
          "index '" + entries.index() + "' has key " + key,
          CommitState.NOT_COMMITTED,
          transaction.id(),
          null);
    }
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    transaction.checkOpen();
    byte[] bytes = entries.encodeKey(key);
    byte[] next = entries.encodeValue(value);
    byte[] old = tree.get(bytes);
    if (old != null) {
      return entries.decodeValue(old);
    }
    tree.put(bytes, next);
    return null;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    transaction.checkOpen();
    byte[] bytes = entries.encodeKey(key);
    byte[] next = entries.encodeValue(value);
    byte[] old = tree.get(bytes);
    if (old == null) {
      return null;
    }
    V before = entries.decodeValue(old);
    tree.put(bytes, next);
    return before;
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    transaction.checkOpen();
    byte[] bytes = entries.encodeKey(key);
    byte[] wanted = entries.encodeValue(expected);
    byte[] next = entries.encodeValue(value);
    if (!Arrays.equals(tree.get(bytes), wanted)) {
      return false;
    }
    tree.put(bytes, next);
    return true;
  }

  @Override
  public void remove(K key) {
    transaction.checkOpen();
    tree.remove(entries.encodeKey(key));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> next) {
    transaction.checkOpen();
    transaction.notNull("the function", next);
    byte[] bytes = entries.encodeKey(key);
    byte[] old = tree.get(bytes);
    V value = next.apply(key, old == null ? null : entries.decodeValue(old));
    set(bytes, old, value);
    return value;
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> next) {
    transaction.checkOpen();
    transaction.notNull("the function", next);
    byte[] bytes = entries.encodeKey(key);
    byte[] given = entries.encodeValue(value);
    byte[] old = tree.get(bytes);
    if (old == null) {
      tree.put(bytes, given);
      return value;
    }
    V merged = next.apply(entries.decodeValue(old), value);
    set(bytes, old, merged);
    return merged;
  }

  @Override
  public long removeRange(Range<K> range) {
    transaction.checkOpen();
    RangeScan scan = tree.scan(entries.encodeRange(range), false, Long.MAX_VALUE, false);
    long removed = 0;
    while (scan.advance()) {
      tree.remove(scan.key());
      removed++;
    }
    return removed;
  }

  /** The function may have ended the transaction. */
  private void set(byte[] key, byte @Nullable [] old, @Nullable V value) {
    transaction.checkOpen();
    if (value != null) {
      tree.put(key, entries.encodeValue(value));
    } else if (old != null) {
      tree.remove(key);
    }
  }
}
