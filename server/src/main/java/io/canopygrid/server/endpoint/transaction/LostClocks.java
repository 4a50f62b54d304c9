package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;

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
   * @param said the part of its clock that the client has said with this request
   * @param deadlineNanos when its time is over
   * @return {@link ErrorCode#COMMITS_LOST} where that part names lost commits. Otherwise others
   *     have named them, or the client itself has before: the client is sent to another connection,
   *     where it says its whole clock
   */
  CanopyException meant(CanopyException e, VectorClock said, long deadlineNanos) {
    if (e.code() != ErrorCode.COMMITS_LOST || isLost(said, deadlineNanos)) {
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

  private boolean isLost(VectorClock said, long deadlineNanos) {
    try {
      node.begin(new Begin(Mode.READ_ONLY, said, deadlineNanos, LABEL, ReadFrom.PRIMARY, ""))
          .end(true);
      return false;
    } catch (CanopyException e) {
      return e.code() == ErrorCode.COMMITS_LOST;
    }
  }
}
