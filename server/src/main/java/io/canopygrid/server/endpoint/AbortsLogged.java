package io.canopygrid.server.endpoint;

/** Which aborted transactions of clients are logged. */
public enum AbortsLogged {
  /** None. */
  NONE,
  /** Those that failed; not conflicts, after which a client runs its transaction again. */
  FAILED,
  /** Conflicts as well. */
  ALL
}
