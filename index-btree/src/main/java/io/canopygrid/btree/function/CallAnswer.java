package io.canopygrid.btree.function;

import io.canopygrid.CanopyException;
import io.canopygrid.clock.VectorClock;

/** The answer of the node that was asked to run a function. */
sealed interface CallAnswer {
  /**
   * The function was run, and its transaction is committed.
   *
   * @param bytes what the function returned
   * @param clock the clock of what its transaction has seen and done
   * @param remoteRequests how many requests to other nodes it took
   */
  record Result(byte[] bytes, VectorClock clock, int remoteRequests) implements CallAnswer {}

  /** The call failed. */
  record Failure(CanopyException error) implements CallAnswer {}
}
