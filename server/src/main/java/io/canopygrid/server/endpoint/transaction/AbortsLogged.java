package io.canopygrid.server.endpoint.transaction;

/** Which aborted transactions of clients are logged. */
public enum AbortsLogged {
  /** No aborted transaction. */
  NONE,
  /** Failures; conflicts, after which a client runs its transaction again, are left out. */
  FAILED,
  /** Failures and conflicts. */
  ALL
}
