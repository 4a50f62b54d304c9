package io.canopygrid.btree.simulation;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.ledger.LedgerSetup;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.gmu.simulation.SimulatedWork;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kinds of work of one run, each of which is one class. */
final class TreeWorks {
  private static final Map<SimulatedWork, TreeWork.Factory> KINDS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(SimulatedWork.COMMITS, CommitWork::new),
              Map.entry(SimulatedWork.FUNCTIONS, FunctionWork::new),
              Map.entry(SimulatedWork.TABLES, TableWork::new),
              Map.entry(SimulatedWork.CURSORS, CursorWork::new),
              Map.entry(SimulatedWork.LOADS, LoadWork::new),
              Map.entry(SimulatedWork.DROPS, DropWork::new),
              Map.entry(SimulatedWork.PAST, PastWork::new),
              Map.entry(SimulatedWork.FEEDS, FeedWork::new),
              Map.entry(SimulatedWork.CLONES, CloneWork::new),
              Map.entry(SimulatedWork.REMOTE, RemoteWork::new),
              Map.entry(SimulatedWork.GLOBAL, GlobalWork::new)));

  private final List<TreeWork> works = new ArrayList<>();
  private final TreeLedgers ledgers;
  private final SimulatedGrid grid;

  TreeWorks(SimulatedGrid grid, TreeWorld world, TreeRun run) {
    this.grid = grid;
    this.ledgers = new TreeLedgers(grid, run);
    for (SimulatedWork kind : run.work()) {
      TreeWork.Factory factory = KINDS.get(kind);
      if (factory != null) {
        works.add(factory.create(grid, world, run, ledgers));
      }
    }
  }

  /** The clocks and limits of a node's ledger. */
  LedgerSetup ledger(GmuNode node) {
    return ledgers.of(node);
  }

  void onNode(GmuNode node, EmbeddedCanopy handle) {
    ledgers.onNode(node, handle);
    works.forEach(work -> work.onNode(node, handle));
  }

  /** Whether there is any. */
  boolean isEmpty() {
    return works.isEmpty();
  }

  /** Starts the clients of all kinds, and one in the background where there are any. */
  void start(int background) {
    if (!works.isEmpty()) {
      grid.client("keeper of ledgers", 10, () -> ledgers.run(background));
    }
    works.forEach(TreeWork::start);
  }

  void finish() {
    works.forEach(TreeWork::finish);
    if (!works.isEmpty()) {
      ledgers.finish();
    }
  }

  List<String> check() {
    return works.stream().flatMap(work -> work.check().stream()).toList();
  }

  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    works.forEach(work -> counts.putAll(work.counts()));
    return counts;
  }
}
