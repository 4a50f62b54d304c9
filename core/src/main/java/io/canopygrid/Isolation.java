package io.canopygrid;

/** The assumptions that a transaction may make about the others. */
public enum Isolation {
  /**
   * Update transactions are serializable; a read-only transaction reads one consistent snapshot,
   * never aborts and costs nothing at commit. Two read-only transactions of different handles may
   * see independent commits in different orders. The default.
   */
  UPDATE_SERIALIZABLE,
  /**
   * Read-only transactions too take part in the one serial order: their reads are validated at
   * commit like those of an update transaction, so that they can end in {@link
   * ErrorCode#WRITE_CONFLICT}.
   */
  SERIALIZABLE
}
