package io.canopygrid.history;

/**
 * An anomaly that a history can prove against a database; names after Adya (1999) where he has one.
 */
public enum Anomaly {
  /** G0: the writes of committed updates are in a cycle. */
  DIRTY_WRITE("G0, dirty write"),
  /** G1a: something read was written by a transaction that certainly did not commit. */
  ABORTED_READ("G1a, aborted read"),
  /** G1b: something read was overwritten by its own writer before that committed. */
  INTERMEDIATE_READ("G1b, intermediate read"),
  /** G1c: committed updates are in a cycle of writes and reads of what was written. */
  CIRCULAR_INFORMATION_FLOW("G1c, circular information flow"),
  /** A cycle of committed updates with one missed write. */
  READ_SKEW("G-single, read skew"),
  /** Two committed updates read the same version of a key, and both wrote the next one. */
  LOST_UPDATE("lost update"),
  /** G2-item: a cycle of committed updates with several missed writes. */
  WRITE_SKEW("G2-item, write skew"),
  /** G2: the same, where what was missed are rows of a scanned range. */
  PREDICATE_SKEW("G2, predicate anti-dependencies"),
  /** A read contradicts what the same transaction wrote or read before. */
  INTERNAL("internal"),
  /** A transaction saw one write of another one and missed another. */
  HALF_COMMIT("half commit"),
  /** A transaction that did not change anything saw no consistent snapshot of the updates. */
  INCONSISTENT_SNAPSHOT("inconsistent snapshot"),
  /** The same, by a scan that missed a row. */
  PHANTOM("phantom"),
  /**
   * Transactions that only read disagree about the order of updates: a violation of serializability
   * only.
   */
  LONG_FORK("long fork"),
  /** The same, by transactions of one client. */
  SESSION_FORK("session: its reads disagree about the order of updates"),
  /** Two reads of a list, neither of which is the beginning of the other. */
  INCOMPATIBLE_ORDER("incompatible order"),
  /** One element twice in a list or scan. */
  DUPLICATE_ELEMENT("duplicate element"),
  /** An element that nobody wrote. */
  UNKNOWN_ELEMENT("unknown element"),
  /** Operations on a single key that no order within their times explains. */
  NOT_LINEARIZABLE("not linearizable"),
  /** An acknowledged write that is missing at the end of the run. */
  LOST_WRITE("lost write"),
  /** A client misses what it had written. */
  READ_YOUR_WRITES("session: own write missed"),
  /** A client sees an older version than it had seen. */
  MONOTONIC_READS("session: older version than before"),
  /** A client's transactions, in their order, are in a cycle with the updates. */
  SESSION_ORDER("session: order of its transactions broken");

  private final String words;

  Anomaly(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
