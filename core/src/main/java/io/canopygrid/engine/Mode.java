package io.canopygrid.engine;

import io.canopygrid.Isolation;

/** The rights of a transaction, which decide what it has to remember. */
public enum Mode {
  /** Reads a snapshot; remembers nothing, never conflicts. */
  READ_ONLY,
  /** Reads and writes; the reads are validated if it wrote. */
  UPDATE,
  /** Reads and writes; the reads are validated in any case. */
  SERIALIZABLE;

  /** The mode of a transaction that may write. */
  public static Mode ofUpdates(Isolation isolation) {
    return isolation == Isolation.SERIALIZABLE ? SERIALIZABLE : UPDATE;
  }
}
