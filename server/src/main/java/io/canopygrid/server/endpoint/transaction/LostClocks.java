package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.client.Step;

/**
 * Finds out whose clock names commits that a power cut has taken. A transaction begins after all
 * that was said on its connection ({@link io.canopygrid.wire.client.SeenClock}), also by others, as
 * where one of them has passed an old token. It must not be told of a loss that only those others
 * have seen.
 */
final class LostClocks {
  private static final String LABEL = "canopy.clocks";

  private final ServedNode node;

  LostClocks(ServedNode node) {
    this.node = node;
  }

  /**
   * The error for a client whose transaction or function was refused.
   *
   * @param said what the client has said with this request: a part of its clock, and its caller's
   *     token
   * @param deadlineNanos when its time is over
   * @return {@link ErrorCode#COMMITS_LOST} where that names lost commits. Otherwise others have
   *     named them, or the client itself has before: the client is sent to another connection,
   *     where it says its whole clock
   */
  CanopyException meant(CanopyException e, Step.Begin said, long deadlineNanos) {
    if (e.code() != ErrorCode.COMMITS_LOST
        || isLost(said.after(), deadlineNanos)
        || isLost(said.token(), deadlineNanos)) {
      return e;
    }
    return new CanopyException(
        ErrorCode.NOT_CONNECTED,
        "on this connection something was said of commits that a power cut has taken",
        CommitState.NOT_COMMITTED,
        null,
        e);
  }

  /** Whether an error says that a connection's account of clocks names lost commits. */
  static boolean isOf(CanopyException e) {
    return e.code() == ErrorCode.COMMITS_LOST
        || (e.getCause() instanceof CanopyException cause
            && cause.code() == ErrorCode.COMMITS_LOST);
  }

  /**
   * Looks at the token of a function's caller, which begins after the join of that and of all that
   * was said: newer numbers of the rest would hide that a power cut has taken what it names.
   *
   * @param token empty: there is none
   * @throws CanopyException {@link ErrorCode#COMMITS_LOST}, or as a transaction that begins after
   *     it
   */
  void requireKept(VectorClock token, long deadlineNanos) {
    if (token.size() > 0) {
      node.begin(new Begin(Mode.READ_ONLY, token, deadlineNanos, LABEL, ReadFrom.PRIMARY, ""))
          .end(true);
    }
  }

  private boolean isLost(VectorClock said, long deadlineNanos) {
    try {
      requireKept(said, deadlineNanos);
      return false;
    } catch (CanopyException e) {
      return e.code() == ErrorCode.COMMITS_LOST;
    }
  }
}
