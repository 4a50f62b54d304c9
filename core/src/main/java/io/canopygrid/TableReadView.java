package io.canopygrid;

import org.jspecify.annotations.Nullable;

/**
 * The rows of a table in a transaction, and its indexes. Dies with it.
 *
 * @param <K> primary keys
 * @param <R> rows
 */
public interface TableReadView<K, R> {
  /** The row of a key, null where there is none. */
  @Nullable R get(K key);

  /** Whether there is a row. */
  boolean containsKey(K key);

  /** The rows of a range. */
  Cursor<K, R> scan(Range<K> range);

  /** The number of rows in a range. */
  long count(Range<K> range);

  /**
   * An index, to be read.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX} where the table has none of this name,
   *     {@link ErrorCode#INDEX_NOT_READY}, {@link ErrorCode#DEFINITION_MISMATCH}
   */
  <A> IndexView<A, K, R> by(IndexDefinition<R, A> definition);
}
