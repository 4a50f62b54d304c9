package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.Effect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs a {@link GridProgram}, whose code blocks, on a simulated grid. */
final class TaskLoad implements Load, SimulatedGrid {
  /** Several times what a transaction takes on the slowest networks. */
  private static final long UNITS_PER_TRANSACTION = 5_000;

  private final Simulation grid;
  private final GridProgram program;
  private final Tasks tasks;
  private final Map<SimulatedNode, TaskNode> nodes = new LinkedHashMap<>();
  private final Map<SimulatedNode, Integer> users = new LinkedHashMap<>();
  private int clients;
  private long requests;

  TaskLoad(Simulation grid, GridProgram.Factory programs) {
    this.grid = grid;
    this.tasks = new Tasks(grid.events, grid::runNext);
    this.program = programs.create(this);
  }

  Tasks tasks() {
    return tasks;
  }

  /** The first of so many new numbers of reads. */
  long nextRequests(int count) {
    requests += count;
    return requests - count + 1;
  }

  // ---- for the program

  @Override
  public SeededRandom random(int purpose) {
    return grid.stream(1_000 + purpose);
  }

  @Override
  public long now() {
    return grid.now();
  }

  @Override
  public void sleep(long units) {
    Tasks.Task self = tasks.current();
    tasks.wakeAfter(units, self);
    tasks.block(self);
  }

  @Override
  public void client(String name, long delay, Runnable body) {
    clients++;
    tasks.spawn(
        name,
        delay,
        () -> {
          body.run();
          clients--;
        });
  }

  @Override
  public int clients() {
    return clients;
  }

  @Override
  public List<GmuNode> usable() {
    List<GmuNode> usable = new ArrayList<>();
    for (SimulatedNode node : grid.nodes.values()) {
      if (!node.dead && !node.leaving && !node.stale && node.protocol.isReady()) {
        usable.add(nodeOf(node));
      }
    }
    return usable;
  }

  @Override
  public void use(GmuNode at, Runnable body) {
    SimulatedNode node = grid.node(at.self());
    users.merge(node, 1, Integer::sum);
    try {
      body.run();
    } finally {
      users.merge(node, -1, Integer::sum);
    }
  }

  @Override
  public boolean isCalm() {
    return grid.isCalm();
  }

  @Override
  public @Nullable VectorClock takeCommitted() {
    Tasks.Task self = tasks.current();
    VectorClock clock = self.committed;
    self.committed = null;
    return clock;
  }

  @Override
  public void note(String what) {
    grid.trace.note(grid.now(), what);
  }

  @Override
  public void problem(String what) {
    grid.problems.add(what);
  }

  @Override
  public Set<TxId> lasting() {
    Set<TxId> lasting = new HashSet<>();
    for (SimulatedNode node : grid.nodes.values()) {
      node.ledger
          .entries()
          .forEach((key, entry) -> {
            if (owns(node, key)) {
              entry.history.forEach(place -> lasting.add(place.tid()));
            }
          });
    }
    return lasting;
  }

  private boolean owns(SimulatedNode node, CompositeKey key) {
    return grid.membership.current().shard(grid.shardOf(key)).owners().contains(node.id);
  }

  @Override
  public Map<GmuNode, Map<CompositeKey, byte[]>> copies() {
    Map<GmuNode, Map<CompositeKey, byte[]>> copies = new LinkedHashMap<>();
    for (SimulatedNode node : grid.nodes.values()) {
      if (!node.dead) {
        Map<CompositeKey, byte[]> live = new LinkedHashMap<>();
        node.ledger
            .entries()
            .forEach((key, entry) -> {
              byte[] value = RestCheck.value(entry);
              if (value != null && owns(node, key)) {
                live.put(key, value);
              }
            });
        copies.put(nodeOf(node), live);
      }
    }
    return copies;
  }

  private TaskNode nodeOf(SimulatedNode node) {
    return nodes.computeIfAbsent(node, n -> new TaskNode(grid, this, n));
  }

  // ---- for the simulation

  @Override
  public void onCreate(SimulatedNode node) {
    program.onNode(nodeOf(node));
  }

  @Override
  public void start() {
    program.start();
  }

  @Override
  public void run() {
    tasks.runAll();
  }

  @Override
  public long timeLimit() {
    return Math.max(
        300_000, UNITS_PER_TRANSACTION * grid.options.sessions() * grid.options.transactions());
  }

  @Override
  public boolean isFinished() {
    return clients == 0 && nodes.values().stream().noneMatch(TaskNode::isWorking);
  }

  @Override
  public boolean isBusyAt(SimulatedNode node) {
    TaskNode task = nodes.get(node);
    return users.getOrDefault(node, 0) > 0 || (task != null && task.isWorking());
  }

  @Override
  public void onAnswer(SimulatedNode node, Effect.Answer answer, Map<CompositeKey, TxId> ghosts) {
    nodeOf(node).onAnswer(answer);
  }

  @Override
  public void onEnded(SimulatedNode node, Effect.Ended ended) {
    nodeOf(node).onEnded(ended);
  }

  @Override
  public void onGrew(SimulatedNode node, Effect.Grew grew) {
    nodeOf(node).onGrew(grew);
  }

  @Override
  public void onDeath(SimulatedNode node) {
    nodeOf(node).onDeath();
  }

  @Override
  public List<String> check() {
    List<String> problems = new ArrayList<>(grid.problems);
    if (new RestCheck(grid, problems).check()) {
      problems.addAll(program.check());
    }
    return problems;
  }

  @Override
  public List<HistoryEntry> history() {
    return program.history();
  }

  @Override
  public void count(Counters counters) {
    program.counts().forEach(counters::add);
  }
}
