package io.canopygrid.btree.simulation;

import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.GridProgram;
import io.canopygrid.gmu.simulation.HistoryEntry;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The tree at every node, clients that use it, and the checks at the end. */
final class TreeProgram implements GridProgram {
  /** How many clients change the structure, beside the nodes, which split what grows. */
  private static final int MOVERS = 2;

  private final CommitRecorder recorder;
  private final TreeShape shape;
  private final TreeRun run;
  private final TreeBug bug;
  private final TreeBalancer balancer;
  private final Map<NodeId, EmbeddedCanopy> handles = new TreeMap<>();
  private final Map<EmbeddedCanopy, Map<Integer, Index<Long, Long>>> indexes = new HashMap<>();
  private final List<TreeClient> clients = new ArrayList<>();
  private final SimulatedGrid grid;
  private final TreeLog log;
  private final TreeFinish finish;

  /** What has committed, in an order that explains it. */
  private List<Attempt> serial = List.of();

  /**
   * A run's program.
   *
   * @param bug what is broken on purpose
   */
  TreeProgram(
      SimulatedGrid grid, CommitRecorder recorder, TreeShape shape, TreeRun run, TreeBug bug) {
    this.grid = grid;
    this.recorder = recorder;
    this.shape = shape;
    this.run = run;
    this.bug = bug;
    this.balancer = new TreeBalancer(grid, Math.max(1, shape.subtreesPerNode()), bug::policy);
    this.log = new TreeLog(grid);
    this.finish = new TreeFinish(grid, this, log);
  }

  // ---- for clients

  EmbeddedCanopy handle(GmuNode node) {
    EmbeddedCanopy handle = handles.get(node.self());
    if (handle == null) {
      throw new IllegalStateException("no handle: " + node.self());
    }
    return handle;
  }

  /** Opens an index; at each node once, as a program would. */
  Index<Long, Long> open(EmbeddedCanopy db, int index) {
    Map<Integer, Index<Long, Long>> opened = indexes.computeIfAbsent(db, d -> new TreeMap<>());
    Index<Long, Long> found = opened.get(index);
    if (found == null) {
      IndexOptions options = new IndexOptions(shape.subtreeEntriesMax());
      found = db.index("i" + index, Codec.int64(), Codec.int64(), options);
      opened.put(index, found);
    }
    return found;
  }

  int indexes() {
    return shape.indexes();
  }

  int keys() {
    return shape.keys();
  }

  int anyIndex(SeededRandom random) {
    return random.below(shape.indexes());
  }

  long anyKey(SeededRandom random) {
    return random.below(shape.keys());
  }

  Attempt.Kind kind(SeededRandom random) {
    if (random.chance(shape.readOnly())) {
      return Attempt.Kind.READ_ONLY;
    }
    return random.chance(0.1) ? Attempt.Kind.SERIALIZABLE : Attempt.Kind.UPDATE;
  }

  /** Whether a shard may have no owner that can be reached, for a while. */
  boolean mayBeUnavailable(ErrorCode code) {
    return !run.calm() && code == ErrorCode.SHARD_UNAVAILABLE;
  }

  List<TreeClient> clients() {
    return clients;
  }

  boolean isBalanced() {
    return shape.subtreesPerNode() > 0;
  }

  TreeBalancer balancer() {
    return balancer;
  }

  // ---- for the simulation

  @Override
  public void onNode(GmuNode node) {
    SplitLimits all = SplitLimits.DEFAULT;
    SplitLimits limits =
        new SplitLimits(
            shape.movedMax(),
            all.movedBytesMax(),
            all.attemptsMax(),
            all.timeoutMillis(),
            all.waitingMax(),
            all.closeMillis());
    GmuNode face = bug.face(node);
    EmbeddedCanopy handle = SimulatedHandle.of(face, limits);
    handles.put(node.self(), handle);
    balancer.onNode(face, handle);
  }

  @Override
  public void start() {
    for (int i = 0; i < run.sessions(); i++) {
      TreeClient client = new TreeClient(grid, this, log, i, run);
      clients.add(client);
      grid.client("client " + i, 1 + 2L * i, client::run);
    }
    for (int i = 0; i < MOVERS; i++) {
      TreeMover mover = new TreeMover(grid, this, grid.random(500 + i));
      grid.client("mover " + i, 20 + 5L * i, mover::run);
    }
    if (isBalanced()) {
      grid.client("balancer", 40, balancer::run);
    }
    grid.client("finish", 50, finish::run);
  }

  @Override
  public List<String> check() {
    List<String> problems = new ArrayList<>();
    long failed = handles.values().stream().mapToLong(SimulatedHandle::failedSplits).sum();
    if (failed > 0) {
      problems.add(failed + " splits ended by an error");
    }
    recorder.lasts(grid.lasting());
    HistoryCheck history = new HistoryCheck(log.attempts(), recorder, problems);
    history.check();
    serial = history.serialOrder();
    problems.addAll(new Leftovers(grid.copies()).check());
    problems.addAll(recorder.reusedKcls());
    return problems;
  }

  @Override
  public List<HistoryEntry> history() {
    return new TreeHistory(log.attempts(), serial).entries();
  }

  @Override
  public Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    counts.put("splits", splits());
    counts.put("shifts", sum(Reshaping::shifts));
    counts.put("retired", sum(Reshaping::retired));
    counts.put("removed", sum(Reshaping::removed));
    counts.put("balanced", balancer.made());
    for (Attempt attempt : log.attempts()) {
      counts.merge("attempts " + attempt.outcome(), 1L, Long::sum);
    }
    return counts;
  }

  private long sum(ToLongFunction<Reshaping> count) {
    return handles.values().stream().map(SimulatedHandle::reshaping).mapToLong(count).sum();
  }

  private long splits() {
    return handles.values().stream()
        .flatMap(handle -> handle.stats().byIndex().values().stream())
        .mapToLong(index -> index.splits())
        .sum();
  }
}
