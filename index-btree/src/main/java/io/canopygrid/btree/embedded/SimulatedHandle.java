package io.canopygrid.btree.embedded;

import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.gmu.node.GmuNode;

/** The handle of a simulated node. */
public final class SimulatedHandle {
  private SimulatedHandle() {}

  /** A handle with limits that small trees reach. */
  public static EmbeddedCanopy of(GmuNode node, SplitLimits limits) {
    return EmbeddedCanopy.of(node, limits);
  }

  /** Changes the structure at the handle's node when it is asked to. */
  public static Reshaping reshaping(EmbeddedCanopy handle) {
    return handle.reshaping();
  }

  /** The number of splits at the handle's node that ended by an error. */
  public static long failedSplits(EmbeddedCanopy handle) {
    return handle.failedSplits();
  }
}
