package io.canopygrid.btree.ledger;

/** The clocks and limits of a node's ledger. */
public record LedgerSetup(MachineTime machine, LedgerLimits limits) {
  /** Those outside of tests. */
  public static final LedgerSetup DEFAULT = new LedgerSetup(MachineTime.OWN, LedgerLimits.DEFAULT);
}
