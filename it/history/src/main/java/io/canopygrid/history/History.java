package io.canopygrid.history;

import java.util.List;

/**
 * The records of a whole run, in the order of the invocations.
 *
 * @param header its first line
 * @param txns its transactions
 * @param faults what was done to the cluster meanwhile
 */
public record History(HistoryHeader header, List<Txn> txns, List<Fault> faults) {
  public History {
    txns = List.copyOf(txns);
    faults = List.copyOf(faults);
  }

  /** The same run, with other transactions. */
  public History withTxns(List<Txn> others) {
    return new History(header, others, faults);
  }

  /**
   * One event of the nemesis.
   *
   * @param timeNanos when
   * @param f what it did
   * @param value to whom or how, as JSON
   */
  public record Fault(long timeNanos, String f, String value) {}
}
