package io.canopygrid.gmu.infinispan.bootstrap;

import org.jspecify.annotations.Nullable;

/** A node could not become a member of its grid. It has ended everything that it had started. */
public final class JoinException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** Says why, in words and with the cause. */
  public JoinException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why, as a value. */
  public Reason reason() {
    return reason;
  }

  /** Why. */
  public enum Reason {
    /** Another process listens on the node's address and port. */
    PORT_IN_USE,
    /** Two nodes of one machine would use the same port, one of them to watch its neighbours. */
    PORTS_OVERLAP,
    /** The configured JGroups stack cannot be read or used. */
    STACK_UNUSABLE,
    /** Other machines reach the node's ports, and everybody there would be let in as a node. */
    UNPROTECTED,
    /** The running grid has another number of shards or owners. */
    SETTINGS_DIFFER,
    /** A node was cut off, and found the others as members of another grid. */
    GRID_REPLACED,
    /** The running grid has lost shards or members and waits for them to come back. */
    GRID_DEGRADED,
    /** The grid cannot be founded from the disks that are there: others are missing. */
    DISKS_MISSING,
    /** The node was not let in, or did not get its shards, in time. */
    TIMED_OUT,
    /** The nodes that were there have gone, or are not seen any more: to try again can help. */
    LEFT_ALONE,
    /** The others have gone on without it before it had its shards: to try again can help. */
    EXPELLED,
    /** Anything else; see the cause. */
    FAILED;

    /** Whether the grid, if it is there still, takes a node that has found it again. */
    public boolean passes() {
      return this == LEFT_ALONE || this == EXPELLED;
    }
  }
}
