package io.canopygrid.btree.simulation;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.catalog.CloneLimits;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.DropEntry;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.feed.FeedLimits;
import io.canopygrid.btree.ledger.LedgerLimits;
import io.canopygrid.btree.ledger.LedgerSetup;
import io.canopygrid.btree.ledger.MachineTime;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SimulatedClocks;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * The handles of a run's nodes for programs of users, with the limits that ship; the work that
 * nodes do by themselves; and the checks of what is left at the end.
 */
public final class ShippedHandles {
  /** For how many rounds what is left of dropped indexes is waited for, and their distance. */
  private static final int ROUNDS_MAX = 200;

  private static final int ROUND_EVERY = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final SimulatedGrid grid;
  private final CommitHistory history;
  private final Map<NodeId, EmbeddedCanopy> handles = new TreeMap<>();

  /** All that the set-up has seen: each client sees it, too. */
  private CausalToken setUp = CausalToken.NONE;

  /** There are no nodes yet. */
  public ShippedHandles(SimulatedGrid grid, CommitHistory history) {
    this.grid = grid;
    this.history = history;
  }

  /** A node was made; its handle. */
  public Canopy add(GmuNode node) {
    SimulatedClocks clocks = new SimulatedClocks(node.threads());
    LedgerSetup ledger =
        new LedgerSetup(
            new MachineTime(clocks::wallMillis, clocks::monotonicNanos),
            LedgerLimits.DEFAULT,
            () -> new UUID(1, node.self().value()));
    EmbeddedCanopy handle =
        SimulatedHandle.of(
            history.watched(node),
            SplitLimits.DEFAULT,
            ledger,
            TableBatches.DEFAULT,
            FeedLimits.DEFAULT,
            CloneLimits.DEFAULT);
    handles.put(node.self(), handle);
    return handle;
  }

  /** The handle of a node. */
  public Canopy handle(GmuNode node) {
    return embedded(node);
  }

  private EmbeddedCanopy embedded(GmuNode node) {
    EmbeddedCanopy handle = handles.get(node.self());
    if (handle == null) {
      throw new IllegalStateException("no handle: " + node.self());
    }
    return handle;
  }

  /** The set-up has ended. */
  public void isSetUp() {
    setUp = seenByAny();
  }

  private CausalToken seenByAny() {
    return handles.values().stream().map(Canopy::token).reduce(CausalToken.NONE, CausalToken::join);
  }

  /**
   * Makes a node's handle see what the set-up has made, or what any handle has seen.
   *
   * @return false: the node cannot be used now
   */
  public boolean connect(GmuNode node, boolean seesAll) {
    EmbeddedCanopy handle = embedded(node);
    try {
      handle.grid();
      TransactionOptions after =
          TransactionOptions.DEFAULTS.withAfter(seesAll ? seenByAny() : setUp);
      handle.read(after, tx -> tx.id());
      return true;
    } catch (CanopyException e) {
      return false;
    }
  }

  /** One round of the work that each node does twice per second. */
  public void keep() {
    for (GmuNode node : grid.usable()) {
      grid.use(
          node,
          () -> {
            try {
              SimulatedHandle.keepLedger(embedded(node));
              SimulatedHandle.keepDrops(embedded(node));
            } catch (TimeoutException | RuntimeException e) {
              grid.note("a round of " + node.self() + " did not end");
            }
          });
    }
  }

  /** Waits, at rest, until nothing is left of dropped indexes. */
  public void finishDrops() {
    for (int rounds = 0; rounds < ROUNDS_MAX && isAnyLeft(); rounds++) {
      keep();
      grid.sleep(ROUND_EVERY);
    }
  }

  private boolean isAnyLeft() {
    return grid.usable().stream().anyMatch(node -> !DropEntry.all(node.top()).isEmpty());
  }

  /** Checks the structure of all indexes in one node's snapshots, at rest. */
  public void checkIndexes(GmuNode node) {
    Set<Integer> indexes = new TreeSet<>();
    Crown.forEach(node.top(), entry -> indexes.add(entry.index()));
    for (int index : indexes) {
      try {
        long deadlineNanos = node.threads().nanoTime() + PATIENCE.toNanos();
        IndexCheck.run(node, index, embedded(node).token().clock(), deadlineNanos);
      } catch (TimeoutException | RuntimeException e) {
        grid.problem("index " + index + " is not sound: " + e.getMessage());
      }
    }
  }

  /** After the run: what is wrong with its updates, and where something is left behind. */
  public List<String> check() {
    List<String> problems = history.check(grid.lasting());
    problems.addAll(new Leftovers(grid.copies()).check());
    return problems;
  }

  /** After the run: a hash of all entries of all indexes, with their values. */
  public int entriesHash() {
    Map<CompositeKey, byte[]> entries = new TreeMap<>();
    grid.copies().values().forEach(entries::putAll);
    int hash = 0;
    for (Map.Entry<CompositeKey, byte[]> entry : entries.entrySet()) {
      CompositeKey key = entry.getKey();
      if (SubtreeHeader.isSubtree(key.kcl()) && !key.isHeader()) {
        hash = 31 * hash + Arrays.hashCode(EntryKeys.userKey(key));
        hash = 31 * hash + Arrays.hashCode(entry.getValue());
      }
    }
    return hash;
  }

  /** Ends the handles, when the run has ended. */
  public void close() {
    handles.values().forEach(Canopy::close);
  }
}
