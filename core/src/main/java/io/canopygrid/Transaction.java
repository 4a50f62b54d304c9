package io.canopygrid;

/**
 * A transaction that reads one consistent snapshot, sees its own writes, and commits all of them or
 * none. Confined to one thread at a time; it and everything it handed out die with its end ({@link
 * ErrorCode#TRANSACTION_CLOSED}).
 *
 * <p>Inside a body of {@link Canopy#run} or {@link Canopy#call} the handle begins and ends it, and
 * {@link #commit}, {@link #rollback} and {@link #close} are refused with {@link
 * ErrorCode#INVALID_ARGUMENT}. The caller ends a transaction that it got from {@link Canopy#begin}:
 *
 * <pre>{@code
 * try (Transaction tx = db.begin(TransactionOptions.DEFAULTS)) {
 *   tx.on(accounts).put(1L, account);
 *   tx.commit();
 * }
 * }</pre>
 */
public interface Transaction extends ReadTransaction, AutoCloseable {
  /** The index as this transaction sees it, its own writes included. */
  @Override
  <K, V> MutableView<K, V> on(Index<K, V> index);

  /** The table as this transaction sees it, its own writes included. */
  @Override
  <K, R> TableView<K, R> on(Table<K, R> table);

  /**
   * Makes all writes take effect at once, and ends the transaction, also when this throws.
   *
   * @throws CanopyException {@link ErrorCode#WRITE_CONFLICT} if something read has changed since,
   *     {@link ErrorCode#LOCK_TIMEOUT}, {@link ErrorCode#TIMEOUT}, {@link
   *     ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#COMMIT_UNKNOWN}; an explicit transaction is
   *     not run again by Canopy
   */
  void commit();

  /** Ends the transaction without effect; does nothing when it has ended. */
  void rollback();

  /** The same as {@link #rollback}: nothing is committed by closing. */
  @Override
  void close();
}
