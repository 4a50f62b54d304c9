package io.canopygrid;

/** Whether the writes of the transaction that an error belongs to have taken effect. */
public enum CommitState {
  /** Certainly not, and they never will. */
  NOT_COMMITTED,
  /** Certainly: the error came after the commit. */
  COMMITTED,
  /** They may have, or may still do so; the cluster could not tell in time. */
  UNKNOWN
}
