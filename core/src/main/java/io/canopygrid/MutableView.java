package io.canopygrid;

import java.util.NavigableMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An index in an update transaction: what the snapshot has, overlaid with the transaction's own
 * writes. Writes are kept at the origin until the commit. Methods that give back or depend on the
 * old value read it, and so can conflict; {@link #put} and {@link #remove} read nothing.
 *
 * <p>Every write throws {@link CanopyException} with {@link ErrorCode#NULL_NOT_ALLOWED}, {@link
 * ErrorCode#KEY_TOO_LARGE}, {@link ErrorCode#VALUE_TOO_LARGE} or {@link ErrorCode#CODEC_FAILURE} at
 * once where the key or value is not allowed.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface MutableView<K, V> extends ReadView<K, V> {
  /**
   * Sets the key's value, with or without a value before. Reads nothing and costs no request before
   * commit.
   */
  void put(K key, V value);

  /**
   * Adds a key that must not be there.
   *
   * @throws CanopyException {@link ErrorCode#KEY_EXISTS} if it is
   */
  void insert(K key, V value);

  /** Sets the value unless the key has one; the value that was there, null if it was absent. */
  @Nullable V putIfAbsent(K key, V value);

  /** Sets the value only if the key has one; the value that was there, null if it was absent. */
  @Nullable V replace(K key, V value);

  /**
   * Sets the value only if the key has the expected one, which is compared in its encoded form.
   *
   * @return whether it was set
   */
  boolean replace(K key, V expected, V value);

  /** Takes the key away if it is there. Reads nothing and costs no request before commit. */
  void remove(K key);

  /**
   * Sets the value that the function makes of the key and its value, which is null where there is
   * none; a null result takes the key away. An exception of the function changes nothing and goes
   * through as it is.
   *
   * @return the new value, null if there is none
   */
  @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> next);

  /**
   * Sets the value if the key has none, or else what the function makes of the old and the given
   * value; a null result takes the key away.
   *
   * @return the new value, null if there is none
   */
  @Nullable V merge(K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> next);

  /**
   * Takes away every entry of a range, reading which there are; so an insert into the range by
   * another transaction conflicts.
   *
   * @return how many were there
   */
  long removeRange(Range<K> range);

  /**
   * As of a view that only reads, and through this map the index can be changed: it reads and
   * writes as this view does. {@code put} and {@code remove} give back the old value and so read
   * it, and can conflict; {@code putAll}, an entry's {@code setValue} and an iterator's {@code
   * remove} read nothing. {@code clear} is {@link #removeRange}. Iterators go on over changes;
   * whether they show a key that was added meanwhile is open.
   */
  @Override
  NavigableMap<K, V> asNavigableMap();
}
