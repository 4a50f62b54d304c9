package io.canopygrid.xa;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import javax.transaction.xa.XAException;

/** Coded errors in the codes of XA. */
final class XaErrors {
  private XaErrors() {}

  /** An error of XA's. */
  static XAException of(int code, String why) {
    XAException error = new XAException(why);
    error.errorCode = code;
    return error;
  }

  private static XAException of(int code, CanopyException why) {
    XAException error = of(code, String.valueOf(why.getMessage()));
    error.initCause(why);
    return error;
  }

  /** The resource cannot be used now; what was to be done may be tried again. */
  static XAException unavailable(CanopyException e) {
    return of(XAException.XAER_RMFAIL, e);
  }

  /**
   * The end of a branch that is rolled back, and why.
   *
   * @param unknown the code where it may have taken effect
   */
  static XAException rolledBack(CanopyException e, int unknown) {
    if (e.commitState() == CommitState.UNKNOWN) {
      return of(unknown, e);
    }
    return of(
        switch (e.code()) {
          case WRITE_CONFLICT, LOCK_TIMEOUT, SNAPSHOT_TOO_OLD -> XAException.XA_RBTRANSIENT;
          case TIMEOUT -> XAException.XA_RBTIMEOUT;
          case SHARD_UNAVAILABLE -> XAException.XA_RBCOMMFAIL;
          default -> XAException.XA_RBOTHER;
        },
        e);
  }
}
