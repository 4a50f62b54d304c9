package io.canopygrid.explain;

import java.util.Locale;

/** The kind of work or wait on which a step spent its time. */
public enum StepKind {
  /** Work of the node that runs the transaction, which asked nobody. */
  LOCAL,
  /** A question to another node, and the wait for its answer. */
  REMOTE,
  /** A wait at the node that runs it: for a turn, a lock, a topology, or its client. */
  WAIT,
  /** The commit, or a part of it. */
  COMMIT;

  /** The kind as it is told to programs. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
