package io.canopygrid.btree.serve;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;

/** The way in which the owner of the node lets it leave for good. Thread-safe. */
@FunctionalInterface
public interface Leaving {
  /**
   * Begins to hand over, unless that has begun, and waits for a second or so.
   *
   * @param abandons whether to leave whatever is lost
   * @return whether the node can be done without, and leaves now
   * @throws CanopyException {@link ErrorCode#LEAVE_REFUSED} where it stays
   */
  boolean leave(boolean abandons);
}
