package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.ledger.LedgerLimits;
import io.canopygrid.btree.ledger.LedgerSetup;
import io.canopygrid.btree.ledger.MachineTime;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedClocks;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * The clocks and limits of the nodes' ledgers, whose ages are short in some runs, and the keepers
 * of the ledgers and of drops, driven by a client.
 */
final class TreeLedgers {
  /** In units of virtual time. */
  private static final int ROUND_EVERY = 15;

  /** Keeps the choices of each node apart from all others. */
  private static final int CLOCKS = 3_000;

  private static final int LIMITS = 2_999;

  /** In milliseconds of the grid's time. */
  private static final int AGE_MAX = 1_000_000;

  /** For how many rounds what is left of dropped indexes is waited for at the end. */
  private static final int LOOKS_MAX = 200;

  private static final byte[] TIME = ReservedKcl.TIME.key(new byte[] {1}).bytes();

  private final SimulatedGrid grid;
  private final boolean skew;
  private final LedgerLimits limits;
  private final Map<NodeId, EmbeddedCanopy> handles = new TreeMap<>();

  TreeLedgers(SimulatedGrid grid, TreeRun run) {
    this.grid = grid;
    this.skew = run.skew();
    int age = grid.random(LIMITS).oneOf(8, 25, AGE_MAX);
    this.limits = new LedgerLimits(age, 2L * age, 2L * age, 2, 4, 1);
  }

  /**
   * Whether any node can tell the outcome of a commit at the end of the run that is named now, at
   * this node: names last for longer than any run takes, and the time in this one is the grid's. It
   * is a wall clock's as long as the grid has none.
   */
  boolean lasts(GmuNode node) {
    return limits.ageMillisMax() == AGE_MAX && node.top().get(TIME) != null;
  }

  LedgerSetup of(GmuNode node) {
    long number = node.self().value();
    SeededRandom random = grid.random(CLOCKS + (int) number);
    SimulatedClocks clocks =
        skew ? new SimulatedClocks(node.threads(), random) : new SimulatedClocks(node.threads());
    return new LedgerSetup(
        new MachineTime(clocks::wallMillis, clocks::monotonicNanos),
        limits,
        () -> new UUID(1, number));
  }

  void onNode(GmuNode node, EmbeddedCanopy handle) {
    handles.put(node.self(), handle);
  }

  /** As {@link TreeBalancer#run}. */
  void run(int background) {
    while (grid.clients() > background) {
      grid.sleep(ROUND_EVERY);
      for (GmuNode node : grid.usable()) {
        grid.use(node, () -> round(node));
      }
    }
  }

  /** Waits until nothing is left of dropped indexes. */
  void finish() {
    for (int looks = 0; looks < LOOKS_MAX && isLeft(); looks++) {
      grid.usable().forEach(node -> grid.use(node, () -> round(node)));
      grid.sleep(ROUND_EVERY);
    }
    if (isLeft()) {
      grid.problem("something is left of dropped indexes");
    }
  }

  private boolean isLeft() {
    return grid.usable().stream().anyMatch(node -> !DropEntry.all(node.top()).isEmpty());
  }

  private void round(GmuNode node) {
    EmbeddedCanopy handle = handles.get(node.self());
    if (handle == null) {
      return; // the node has just come
    }
    try {
      SimulatedHandle.keepLedger(handle);
      SimulatedHandle.keepDrops(handle);
    } catch (TimeoutException | CanopyException e) {
      grid.note("a round of the keeper did not end: " + e.getMessage());
    } catch (InvariantViolation e) {
      grid.problem("the keepers at " + node.self() + ": " + e.getMessage());
    } catch (RuntimeException e) {
      if (grid.usable().contains(node)) {
        grid.problem("the keepers at " + node.self() + ": " + e);
      }
    }
  }
}
