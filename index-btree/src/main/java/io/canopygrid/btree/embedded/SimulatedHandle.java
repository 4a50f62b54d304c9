package io.canopygrid.btree.embedded;

import io.canopygrid.Index;
import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.catalog.CloneLimits;
import io.canopygrid.btree.catalog.TimeMarks;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.feed.FeedLimits;
import io.canopygrid.btree.ledger.LedgerSetup;
import io.canopygrid.btree.structure.BalanceSetup;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.PreparedTransactions;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.gmu.node.GmuNode;
import java.util.concurrent.TimeoutException;

/** The handle of a simulated node. */
public final class SimulatedHandle {
  private SimulatedHandle() {}

  /** A handle with limits that small trees reach. */
  public static EmbeddedCanopy of(GmuNode node, SplitLimits limits) {
    return of(
        node,
        limits,
        LedgerSetup.DEFAULT,
        TableBatches.DEFAULT,
        FeedLimits.DEFAULT,
        CloneLimits.DEFAULT);
  }

  /**
   * A handle with limits that small trees reach, with clocks and limits of its ledger, and with
   * batches that small tables and feeds fill, and with limits of clones.
   */
  public static EmbeddedCanopy of(
      GmuNode node,
      SplitLimits limits,
      LedgerSetup ledger,
      TableBatches batches,
      FeedLimits feeds,
      CloneLimits clones) {
    BalanceSetup byHand = BalanceSetup.byHand(BalanceLimits.OFF);
    return EmbeddedCanopy.of(node, limits, byHand, ledger, batches, feeds, clones);
  }

  /** One round of the keeper of the ledger at the handle's node. */
  public static void keepLedger(EmbeddedCanopy handle) throws TimeoutException {
    handle.keeper().round();
  }

  /** One round of the keeper of drops at the handle's node. */
  public static void keepDrops(EmbeddedCanopy handle) {
    handle.leftOfDrops().round();
  }

  /** The states of the past that are kept, as the handle's node sees them. */
  public static TimeMarks marks(EmbeddedCanopy handle) {
    return handle.marks();
  }

  /** The number of an index in the grid. */
  public static int numberOf(EmbeddedCanopy handle, Index<?, ?> index) {
    return handle.numberOf(index);
  }

  /** Changes the structure at the handle's node when it is asked to. */
  public static Reshaping reshaping(EmbeddedCanopy handle) {
    return handle.reshaping();
  }

  /** Begins a transaction at the handle's node, which its caller ends. */
  public static EngineTransaction begin(EmbeddedCanopy handle, Begin how) {
    return handle.engine().begin(how);
  }

  /** The prepared transactions of the grid, as the handle's node sees them. */
  public static PreparedTransactions prepared(EmbeddedCanopy handle) {
    return handle.engine().prepared();
  }

  /** The number of splits at the handle's node that ended by an error. */
  public static long failedSplits(EmbeddedCanopy handle) {
    return handle.failedSplits();
  }
}
