package io.canopygrid.engine;

import io.canopygrid.Isolation;

/** What a transaction may do, and so has to remember. */
public enum Mode {
  /** Reads a snapshot; remembers nothing, never conflicts. */
  READ_ONLY,
  /** Reads and writes; what it read is validated if it wrote. */
  UPDATE,
  /** What it read is validated in any case. */
  SERIALIZABLE;

  /** The mode of a transaction that may write. */
  public static Mode ofUpdates(Isolation isolation) {
    return isolation == Isolation.SERIALIZABLE ? SERIALIZABLE : UPDATE;
  }
}
