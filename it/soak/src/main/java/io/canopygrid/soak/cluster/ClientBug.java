package io.canopygrid.soak.cluster;

/** A mistake that a client makes on purpose, to see that the checker notices. */
enum ClientBug {
  /** Nothing. */
  NONE,
  /** Reads in one transaction and writes in another one, recorded as one. */
  TWO_TRANSACTIONS,
  /** Records an append that it does not do. */
  LOSE_APPEND,
  /** Records as failed what was committed. */
  DENY_COMMIT
}
