package io.canopygrid;

/** Whether the writes of the transaction that an error belongs to have taken effect. */
public enum CommitState {
  /** The writes have certainly not taken effect, and never will. */
  NOT_COMMITTED,
  /** The writes have certainly taken effect: the error came after the commit. */
  COMMITTED,
  /** The writes may have taken effect, or may still do so; the cluster could not tell in time. */
  UNKNOWN
}
