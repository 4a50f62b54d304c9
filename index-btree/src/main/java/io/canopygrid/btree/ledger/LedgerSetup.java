package io.canopygrid.btree.ledger;

import java.util.UUID;
import java.util.function.Supplier;

/**
 * The clocks and limits of a node's ledger.
 *
 * @param identity makes the identity of a node in the names of its own commits, which no other node
 *     and no client ever has
 */
public record LedgerSetup(MachineTime machine, LedgerLimits limits, Supplier<UUID> identity) {
  /** Those outside of tests. */
  public static final LedgerSetup DEFAULT =
      new LedgerSetup(MachineTime.OWN, LedgerLimits.DEFAULT, UUID::randomUUID);
}
