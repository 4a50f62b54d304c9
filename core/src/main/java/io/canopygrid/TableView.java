package io.canopygrid;

/**
 * The rows of a table in an update transaction: each change of a row changes all indexes with it.
 * Each costs a read of the row, and the first one a read of the table's definitions.
 *
 * <p>Writes fail with {@link ErrorCode#UNIQUE_VIOLATION} where another row has the attribute in a
 * unique index, and with {@link ErrorCode#DEFINITION_MISMATCH} where the table has an index that
 * this handle was not told of, or was told of differently.
 *
 * @param <K> primary keys
 * @param <R> rows
 */
public interface TableView<K, R> extends TableReadView<K, R> {
  /** Sets a row. */
  void put(K key, R row);

  /**
   * Adds a row.
   *
   * @throws CanopyException {@link ErrorCode#KEY_EXISTS} where there is one
   */
  void insert(K key, R row);

  /** Takes a row away; whether there was one. */
  boolean remove(K key);
}
