package io.canopygrid.btree.simulation;

import io.canopygrid.btree.balance.Reshaping;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.catalog.CloneLimits;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.feed.FeedLimits;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.GridProgram;
import io.canopygrid.gmu.simulation.HistoryEntry;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The tree at every node, clients that use it, and the checks at the end. */
final class TreeProgram implements GridProgram {
  /** The number of clients that change the structure, beside the nodes, which split what grows. */
  private static final int MOVERS = 2;

  private static final int FEEDS = 3_890;

  /** Batches that the tables of a {@link TreeWork} fill. */
  private static final TableBatches BATCHES = new TableBatches(3);

  private static final int CLONES = 3_990;

  private final FeedLimits feeds;
  private final CloneLimits clones;
  private final CommitRecorder recorder;
  private final TreeShape shape;
  private final TreeRun run;
  private final TreeBug bug;
  private final TreeBalancer balancer;
  private final TreeWorld world;
  private final SimulatedGrid grid;
  private final TreeLog log;
  private final TreeFinish finish;
  private final TreeWorks works;

  /** The attempts without those that a cut has taken. */
  private List<Attempt> left = List.of();

  /** The attempts that have committed, in an order that explains them. */
  private List<Attempt> serial = List.of();

  /**
   * A run's program.
   *
   * @param bug what is broken on purpose
   */
  TreeProgram(
      SimulatedGrid grid, CommitRecorder recorder, TreeShape shape, TreeRun run, TreeBug bug) {
    this.grid = grid;
    this.feeds = feeds(grid.random(FEEDS));
    this.clones = clones(grid.random(CLONES));
    this.recorder = recorder;
    this.shape = shape;
    this.run = run;
    this.bug = bug;
    this.balancer =
        new TreeBalancer(
            grid, Math.max(1, shape.subtreesPerNode()), bug::policy, run.lateReports());
    this.log = new TreeLog(grid);
    this.world = new TreeWorld(grid, shape, run);
    this.works = new TreeWorks(grid, world, run);
    this.finish = new TreeFinish(grid, world, log, this::rest);
  }

  /** Answers about changes that are full after one commit, or after none of the index's. */
  private static FeedLimits feeds(SeededRandom random) {
    int all = FeedLimits.DEFAULT.commitsMax();
    return new FeedLimits(random.oneOf(1, 2, all), 1 << 20, random.oneOf(1, 3, all));
  }

  /** Layers that are not kept for longer than transactions need them, and steps of few entries. */
  private static CloneLimits clones(SeededRandom random) {
    return new CloneLimits(random.oneOf(500, 1_500), random.oneOf(3, 12, 512));
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
    EmbeddedCanopy handle =
        SimulatedHandle.of(face, limits, works.ledger(face), BATCHES, feeds, clones);
    world.onNode(node.self(), handle);
    balancer.onNode(face, handle);
    works.onNode(node, handle);
  }

  @Override
  public void start() {
    for (int i = 0; i < run.sessions(); i++) {
      TreeClient client = new TreeClient(grid, world, log, i, run);
      grid.client("client " + i, 1 + 2L * i, client::run);
    }
    for (int i = 0; i < MOVERS; i++) {
      TreeMover mover = new TreeMover(grid, world, grid.random(500 + i));
      grid.client("mover " + i, 20 + 5L * i, mover::run);
    }
    int background = 1 + (isBalanced() ? 1 : 0) + (works.isEmpty() ? 0 : 1);
    if (isBalanced()) {
      grid.client("balancer", 40, () -> balancer.run(background));
    }
    works.start(background);
    grid.client("finish", 50, finish::run);
  }

  @Override
  public List<String> check() {
    List<String> problems = new ArrayList<>();
    long failed = world.handles().stream().mapToLong(SimulatedHandle::failedSplits).sum();
    if (failed > 0) {
      problems.add(failed + " splits ended by an error");
    }
    recorder.lasts(grid.lasting());
    left = new CutAttempts(grid, recorder, log.attempts(), problems).left();
    HistoryCheck history = new HistoryCheck(left, log.attempts(), recorder, problems);
    history.check();
    serial = history.serialOrder();
    problems.addAll(new Leftovers(grid.copies()).check());
    problems.addAll(recorder.reusedKcls());
    problems.addAll(works.check());
    return problems;
  }

  @Override
  public List<HistoryEntry> history() {
    return new TreeHistory(left, serial).entries();
  }

  @Override
  public Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    counts.put("splits", splits());
    counts.put("shifts", sum(Reshaping::shifts));
    counts.put("retired", sum(Reshaping::retired));
    counts.put("removed", sum(Reshaping::removed));
    counts.put("balanced", balancer.made());
    counts.put("reports lost", balancer.reportsLost());
    for (Attempt attempt : log.attempts()) {
      counts.merge("attempts " + attempt.outcome(), 1L, Long::sum);
    }
    counts.putAll(works.counts());
    return counts;
  }

  /** Before the last look at the tree. */
  private void rest() {
    works.finish();
    if (isBalanced()) {
      balancer.rest();
    }
  }

  private long sum(ToLongFunction<Reshaping> count) {
    return world.handles().stream().map(SimulatedHandle::reshaping).mapToLong(count).sum();
  }

  private long splits() {
    return world.handles().stream()
        .flatMap(handle -> handle.stats().byIndex().values().stream())
        .mapToLong(index -> index.splits())
        .sum();
  }

  private boolean isBalanced() {
    return shape.subtreesPerNode() > 0;
  }
}
