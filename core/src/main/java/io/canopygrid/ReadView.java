package io.canopygrid;

import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * An index in a transaction's snapshot, in the words of {@link java.util.NavigableMap}. Keys are in
 * the order of their encoded bytes, which for the codecs of {@link Codec} is the natural order of
 * the type. Confined to the transaction's thread, and dead after the transaction's end ({@link
 * ErrorCode#TRANSACTION_CLOSED}).
 *
 * <p>Every method throws {@link CanopyException} with {@link ErrorCode#NULL_NOT_ALLOWED} for a null
 * argument, {@link ErrorCode#KEY_TOO_LARGE} or {@link ErrorCode#CODEC_FAILURE} for a key that
 * cannot be encoded, {@link ErrorCode#TIMEOUT} when the transaction's time is over, and {@link
 * ErrorCode#SHARD_UNAVAILABLE} when the data cannot be reached.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface ReadView<K, V> {
  /** The key's value, null where there is none. Costs at most one remote request. */
  @Nullable V get(K key);

  /** Whether the key is there. Costs at most one remote request. */
  boolean containsKey(K key);

  /** The entry with the least key, null in an empty index. */
  Map.@Nullable Entry<K, V> firstEntry();

  /** The entry with the greatest key, null in an empty index. */
  Map.@Nullable Entry<K, V> lastEntry();

  /** The entry with the greatest key less than or equal to this one, null where there is none. */
  Map.@Nullable Entry<K, V> floorEntry(K key);

  /** The entry with the greatest key less than this one, null where there is none. */
  Map.@Nullable Entry<K, V> lowerEntry(K key);

  /** The entry with the least key greater than or equal to this one, null where there is none. */
  Map.@Nullable Entry<K, V> ceilingEntry(K key);

  /** The entry with the least key greater than this one, null where there is none. */
  Map.@Nullable Entry<K, V> higherEntry(K key);

  /**
   * The entries of a range, ascending unless reversed. The view reads nothing before the first
   * entry is asked for.
   */
  Cursor<K, V> scan(Range<K> range);

  /**
   * Goes on where another cursor's token was taken: the rest of its range, in its direction, with
   * what is left of its limit, in <em>this</em> transaction's snapshot. Begun with {@link
   * TransactionOptions#resuming} it sees nothing older than that cursor saw, and, where that cursor
   * read a named snapshot, the same one.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} if the token is of another index, or of
   *     a named snapshot that this transaction does not read
   */
  Cursor<K, V> resume(ResumeToken token);

  /**
   * The number of entries of a range. In a read-only transaction the owners count the entries: one
   * request for the part of the range that is in one subtree. A transaction that may write has to
   * validate what it counted, so the owners send it the keys.
   */
  long count(Range<K> range);

  /**
   * This view as a map of the JDK, for code that wants one: live, as all of its sub-maps, sets and
   * collections, with the view's thread, errors and end, but unmodifiable ({@link
   * UnsupportedOperationException}).
   *
   * <p>A method costs what the view's method of that name costs. {@code size} counts ({@link
   * #count}), up to {@link Integer#MAX_VALUE}; {@code isEmpty} reads one entry. Iterators, streams,
   * {@code containsValue}, {@code equals}, {@code hashCode} and {@code toString} scan, those of
   * keys too.
   *
   * <p>Null is refused with {@link NullPointerException}, and a key of another type with {@link
   * ClassCastException}, as the JDK's maps do; {@code comparator} is null where {@link
   * Codec#naturallyOrdered} holds, and otherwise compares encoded keys. A value is found if it is
   * equal or has the same encoded form. The map is not serializable.
   */
  NavigableMap<K, V> asNavigableMap();

  /** All entries, ascending. */
  default Cursor<K, V> scan() {
    return scan(Range.all());
  }

  /** The number of entries. */
  default long count() {
    return count(Range.all());
  }
}
