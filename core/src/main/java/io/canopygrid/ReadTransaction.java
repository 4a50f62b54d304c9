package io.canopygrid;

/**
 * One consistent snapshot of all indexes. Confined to one thread at a time; it and everything it
 * handed out die with its end ({@link ErrorCode#TRANSACTION_CLOSED}).
 */
public interface ReadTransaction {
  /**
   * The index in this transaction's snapshot.
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX} if it is of another handle, {@link
   *     ErrorCode#TRANSACTION_CLOSED} after the end
   */
  <K, V> ReadView<K, V> on(Index<K, V> index);

  /**
   * The table in this transaction's snapshot.
   *
   * @throws CanopyException {@link ErrorCode#FOREIGN_INDEX} if it is of another handle, {@link
   *     ErrorCode#TRANSACTION_CLOSED} after the end
   */
  <K, R> TableReadView<K, R> on(Table<K, R> table);

  /** Names this transaction in errors and logs; each attempt of a body has its own. */
  String id();
}
