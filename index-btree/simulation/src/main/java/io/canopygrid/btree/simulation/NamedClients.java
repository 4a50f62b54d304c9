package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.ledger.CommitOutcome;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.btree.serve.WriteMemory;
import io.canopygrid.btree.simulation.NumberLists.Told;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.Mode;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.wire.CommitId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The common part of the kinds of work whose commits have names. */
final class NamedClients {
  /** The number of keys that have lists. */
  static final int KEYS = 8;

  private static final int ENTRIES_MAX = 4;

  /** Far more than any of it should need, in virtual time. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Looks whether old transactions are still open, and the time between two of them. */
  private static final int OPEN_LOOKS_MAX = 60;

  private static final int OPEN_LOOK_EVERY = 50;

  final SimulatedGrid grid;
  private final TreeWorld world;
  private final TreeLedgers ledgers;
  private final String index;
  private final Map<String, Long> counts = new TreeMap<>();
  private final List<Told> all = new ArrayList<>();
  private final Map<Told, CommitId> names = new LinkedHashMap<>();

  /**
   * Those whose outcomes can be told at rest, and when they got their names. A cut that takes the
   * first time of the grid has it begin with another machine's, to which such names say nothing.
   */
  private final Map<Told, Long> lasting = new HashMap<>();

  private final Map<Long, List<Integer>> last = new TreeMap<>();
  private final SeenClocks seen;

  NamedClients(SimulatedGrid grid, TreeWorld world, TreeLedgers ledgers, String index) {
    this.ledgers = ledgers;
    this.grid = grid;
    this.seen = new SeenClocks(grid);
    this.world = world;
    this.index = index;
  }

  GmuNode anyNode(SeededRandom random) {
    return grid.anyUsable(random);
  }

  ServedNode served(GmuNode node) {
    return world.handle(node).served();
  }

  IndexRef open(GmuNode node) {
    return NumberLists.open(served(node), index, ENTRIES_MAX);
  }

  Begin how(GmuNode node, Mode mode) {
    return how(node, mode, PATIENCE_NANOS);
  }

  private Begin how(GmuNode node, Mode mode, long patienceNanos) {
    return new Begin(
        mode,
        VectorClock.ZERO,
        node.threads().nanoTime() + patienceNanos,
        index,
        ReadFrom.PRIMARY,
        "");
  }

  void count(String what) {
    counts.merge(index + " " + what, 1L, Long::sum);
  }

  Map<String, Long> counts() {
    return counts;
  }

  /** A new number at some keys. */
  Told next(SeededRandom random, int keysMax) {
    List<Long> keys = new ArrayList<>();
    for (long key = 0; key < KEYS; key++) {
      keys.add(key);
    }
    Told told = new Told(all.size() + 1, random.sample(keys, random.between(1, keysMax)));
    all.add(told);
    return told;
  }

  /** The client's part of names: no two kinds of work have the same. */
  UUID session(int number) {
    return new UUID(index.hashCode(), number);
  }

  /** The name of the commit that is to append a number, made at a node. */
  CommitId name(SeededRandom random, int session, Told told, GmuNode node) {
    long shift = random.oneOf(0, 0, 0, 0, 0, -20, 20);
    boolean lasts = ledgers.lasts(node);
    CommitId name =
        new CommitId(
            session(session),
            Math.max(0, served(node).commits().millis() + shift),
            told.number,
            random.below(node.shardMap().shards()));
    named(told, name, lasts);
    return name;
  }

  /** A number is to be appended under a name, the last one that it gets. */
  void named(Told told, CommitId name, GmuNode node) {
    named(told, name, ledgers.lasts(node));
  }

  private void named(Told told, CommitId name, boolean lasts) {
    names.put(told, name);
    if (lasts) {
      lasting.put(told, grid.now());
    } else {
      lasting.remove(told);
    }
  }

  /** Nobody looks up any more what became of it. */
  void forgotten(Told told) {
    names.remove(told);
  }

  /**
   * Appends a number to its lists at a node, in a transaction that commits under a name.
   *
   * @return the clock that a reader must have seen to see it
   */
  VectorClock commit(GmuNode node, Told told, CommitId name, SeededRandom pauses) {
    return commit(node, told, name, pauses, PATIENCE_NANOS);
  }

  /** The same within a time. */
  VectorClock commit(
      GmuNode node, Told told, CommitId name, SeededRandom pauses, long patienceNanos) {
    ServedTransaction transaction =
        served(node)
            .begin(how(node, Mode.UPDATE, patienceNanos), Long.MAX_VALUE, WriteMemory.UNLIMITED);
    try {
      EngineView view = transaction.on(open(node));
      for (long key : told.keys) {
        NumberLists.append(view, key, told.number);
        grid.sleep(pauses.oneOf(0, 1, 10));
      }
      return transaction.commit(name);
    } finally {
      transaction.end(false);
    }
  }

  void saw(VectorClock clock) {
    seen.saw(clock);
  }

  /** Asks a node for the outcome of a commit. */
  CommitState lookUp(GmuNode node, Told told, CommitId name) {
    CommitState[] state = {CommitState.UNKNOWN};
    grid.use(node, () -> state[0] = lookUpAt(node, told, name));
    return state[0];
  }

  private CommitState lookUpAt(GmuNode node, Told told, CommitId name) {
    try {
      CommitOutcome outcome = served(node).commits().lookUp(name);
      count("looked up " + outcome.state());
      told.told(outcome.state(), "a look-up at " + node.self());
      if (outcome.state() == CommitState.COMMITTED) {
        saw(outcome.seen());
        told.committed(outcome.seen(), grid.now());
        result(told, outcome.result());
      }
      return outcome.state();
    } catch (CanopyException e) {
      if (e.commitState() == CommitState.NOT_COMMITTED) {
        told.told(CommitState.NOT_COMMITTED, "a failed look-up at " + node.self() + ": " + e);
      }
      unexpected(node, e);
      return e.commitState();
    }
  }

  void result(Told told, byte[] result) {
    if (result.length > 0) {
      told.results.add(new String(result, StandardCharsets.US_ASCII));
    }
  }

  /** A mistake of the code, and not of the weather, is a problem. */
  void unexpected(GmuNode node, CanopyException e) {
    count("errors " + e.code());
    if (e.code() == ErrorCode.INTERNAL_ERROR && grid.usable().contains(node)) {
      grid.problem(index + " at " + node.self() + ": " + e);
    }
  }

  /** Looks each name up at some node, and reads the lists at all nodes. */
  void finish() {
    List<GmuNode> nodes = grid.usable();
    names.forEach((told, name) -> lookUpLast(nodes.get(told.number % nodes.size()), told, name));
    for (GmuNode node : grid.usable()) {
      grid.use(node, () -> readAll(node));
    }
    for (GmuNode node : grid.usable()) {
      awaitNoneOpen(node);
    }
  }

  private void lookUpLast(GmuNode node, Told told, CommitId name) {
    CommitState state = lookUp(node, told, name);
    Long named = lasting.get(told);
    if (state == CommitState.UNKNOWN && named != null && !grid.isAnyCut(named)) {
      grid.problem(index + ": nobody can tell any more, at rest, what became of " + told);
    }
  }

  private void readAll(GmuNode node) {
    Begin how = how(node, Mode.READ_ONLY);
    ServedTransaction transaction =
        served(node)
            .begin(
                new Begin(how.mode(), seen.clock(), how.deadlineNanos(), index, how.readFrom(), ""),
                Long.MAX_VALUE,
                WriteMemory.UNLIMITED);
    try {
      for (long key = 0; key < KEYS; key++) {
        List<Integer> now = NumberLists.read(transaction.on(open(node)), key);
        List<Integer> before = last.putIfAbsent(key, now);
        if (before != null && !before.equals(now)) {
          grid.problem(
              index
                  + (": at rest key " + key + " is " + now + " at " + node.self())
                  + (", and " + before + " elsewhere"));
        }
      }
    } catch (CanopyException e) {
      grid.problem(index + " cannot be read at rest at " + node.self() + ": " + e);
    } finally {
      transaction.end(true);
    }
  }

  /** A transaction that nobody has ended would hold the horizon for ever. */
  private void awaitNoneOpen(GmuNode node) {
    for (int look = 0; look < OPEN_LOOKS_MAX; look++) {
      Duration oldest = world.handle(node).oldestTransaction();
      if (oldest.isZero()) {
        return;
      }
      grid.sleep(OPEN_LOOK_EVERY);
    }
    if (grid.usable().contains(node)) {
      grid.problem(
          index
              + (": a transaction is left open at " + node.self() + ": ")
              + world.handle(node).oldestTransaction());
    }
  }

  List<String> check() {
    for (Told told : all) {
      told.states.keySet().forEach(state -> count("told " + state));
    }
    return NumberLists.check(index, NumberLists.withoutCut(grid, all), last);
  }
}
