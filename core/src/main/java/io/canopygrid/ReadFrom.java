package io.canopygrid;

/** The copies of the data that a transaction reads. */
public enum ReadFrom {
  /** The primaries: the newest state at the first read of each shard. The default. */
  PRIMARY,
  /**
   * This node's own copies where they are known to have all that the transaction must see, its
   * {@link TransactionOptions#after token} included, and the primaries otherwise. The transaction
   * reads one consistent snapshot all the same, but that may be some moments old; so an update that
   * reads this way conflicts more often. Saves requests for data that is read much and written
   * seldom.
   */
  NEAREST
}
