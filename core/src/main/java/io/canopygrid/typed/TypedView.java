package io.canopygrid.typed;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.TablePart;
import io.canopygrid.map.IndexMaps;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** An index in an update transaction. */
public final class TypedView<K, V> extends TypedReadView<K, V> implements MutableView<K, V> {
  /** The index in the transaction. */
  public TypedView(OpenTransaction transaction, TypedIndex<K, V> index) {
    super(transaction, index, TablePart.guarded(transaction.engine(), index.opened()));
  }

  @Override
  public void put(K key, V value) {
    transaction.checkOpen();
    engine.put(entries.encodeKey(key), entries.encodeValue(value));
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
    byte[] old = engine.get(bytes);
    if (old != null) {
      return entries.decodeValue(old);
    }
    engine.put(bytes, next);
    return null;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    transaction.checkOpen();
    byte[] bytes = entries.encodeKey(key);
    byte[] next = entries.encodeValue(value);
    byte[] old = engine.get(bytes);
    if (old == null) {
      return null;
    }
    V before = entries.decodeValue(old);
    engine.put(bytes, next);
    return before;
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    transaction.checkOpen();
    byte[] bytes = entries.encodeKey(key);
    byte[] wanted = entries.encodeValue(expected);
    byte[] next = entries.encodeValue(value);
    if (!Arrays.equals(engine.get(bytes), wanted)) {
      return false;
    }
    engine.put(bytes, next);
    return true;
  }

  @Override
  public void remove(K key) {
    transaction.checkOpen();
    engine.remove(entries.encodeKey(key));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> next) {
    transaction.checkOpen();
    transaction.notNull("the function", next);
    byte[] bytes = entries.encodeKey(key);
    byte[] old = engine.get(bytes);
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
    byte[] old = engine.get(bytes);
    if (old == null) {
      engine.put(bytes, given);
      return value;
    }
    V merged = next.apply(entries.decodeValue(old), value);
    set(bytes, old, merged);
    return merged;
  }

  @Override
  public long removeRange(Range<K> range) {
    transaction.checkOpen();
    KeyRange keys = entries.encodeRange(range);
    return transaction.whole(() -> engine.removeRange(keys));
  }

  @Override
  public NavigableMap<K, V> asNavigableMap() {
    transaction.checkOpen();
    return IndexMaps.modifiable(this, entries.keys(), entries.values());
  }

  /** The function may have ended the transaction. */
  private void set(byte[] key, byte @Nullable [] old, @Nullable V value) {
    transaction.checkOpen();
    if (value != null) {
      engine.put(key, entries.encodeValue(value));
    } else if (old != null) {
      engine.remove(key);
    }
  }
}
