package io.canopygrid.server.endpoint.transaction;

/** The aborted transactions of clients that are logged. */
public enum LoggedAborts {
  /** No aborted transaction. */
  NONE,
  /** Failures; conflicts, after which a client runs its transaction again, are left out. */
  FAILED,
  /** Failures and conflicts. */
  ALL
}
