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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs a {@link GridProgram}, whose code blocks, on a simulated world. */
final class TaskLoad implements SimulatedLoad, SimulatedGrid {
  /** Several times what a transaction takes on the slowest networks. */
  private static final long UNITS_PER_TRANSACTION = 5_000;

  private final SimulatedWorld world;
  private final NodeSteps steps;
  private final Membership membership;
  private final BooleanSupplier calm;
  private final RequestNumbers requests = new RequestNumbers();
  private final GridProgram program;
  private final Tasks tasks;
  private final Map<SimulatedNode, TaskNode> nodes = new LinkedHashMap<>();
  private final Map<SimulatedNode, Integer> users = new LinkedHashMap<>();
  private int clients;

  /**
   * The load of a run.
   *
   * @param calm whether there are no more faults, and all that they have done is repaired
   */
  TaskLoad(
      SimulatedWorld world,
      NodeSteps steps,
      Membership membership,
      BooleanSupplier calm,
      GridProgram.Factory programs) {
    this.world = world;
    this.steps = steps;
    this.membership = membership;
    this.calm = calm;
    this.tasks = new Tasks(world.events, () -> world.events.runNext(timeLimit()));
    this.program = programs.create(this);
  }

  // ---- for the program

  @Override
  public SeededRandom random(int purpose) {
    return world.stream(1_000 + purpose);
  }

  @Override
  public long now() {
    return world.now();
  }

  @Override
  public void sleep(long units) {
    tasks.sleep(units);
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
    for (SimulatedNode node : world.nodes.values()) {
      if (!node.dead && !node.leaving && !node.stale && node.protocol.isReady()) {
        usable.add(nodeOf(node));
      }
    }
    return usable;
  }

  @Override
  public boolean isAlive(GmuNode node) {
    return !world.node(node.self()).dead;
  }

  @Override
  public @Nullable Thread runningThread() {
    return tasks.runningThread();
  }

  @Override
  public long steps() {
    return tasks.steps();
  }

  @Override
  public void use(GmuNode at, Runnable body) {
    SimulatedNode node = world.node(at.self());
    users.merge(node, 1, Integer::sum);
    try {
      body.run();
    } finally {
      users.merge(node, -1, Integer::sum);
    }
  }

  @Override
  public boolean isCalm() {
    return calm.getAsBoolean();
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
    world.trace.note(world.now(), what);
  }

  @Override
  public void problem(String what) {
    world.problems.add(what);
  }

  @Override
  public Set<TxId> lasting() {
    Set<TxId> lasting = new HashSet<>();
    for (SimulatedNode node : world.nodes.values()) {
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

  @Override
  public boolean isCut(VectorClock clock, long since) {
    return world.cuts.takes(clock, since);
  }

  @Override
  public boolean isAnyCut(long since) {
    return world.cuts.isAnySince(since);
  }

  @Override
  public void toldLost(VectorClock seen) {
    world.counters.add("sessions told of a cut", 1);
    world.cuts.tell(-1, seen, now());
  }

  private boolean owns(SimulatedNode node, CompositeKey key) {
    return world.topology().shard(world.shardOf(key)).owners().contains(node.id);
  }

  @Override
  public Map<GmuNode, Map<CompositeKey, byte[]>> copies() {
    Map<GmuNode, Map<CompositeKey, byte[]>> copies = new LinkedHashMap<>();
    for (SimulatedNode node : world.nodes.values()) {
      if (!node.dead) {
        Map<CompositeKey, byte[]> live = new LinkedHashMap<>();
        node.ledger
            .entries()
            .forEach((key, entry) -> {
              byte[] value = node.value(world.shardOf(key), key, entry);
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
    TaskNode known = nodes.get(node);
    if (known == null) {
      known =
          new TaskNode(world, steps, tasks, requests, node, id -> nodeOf(world.node(id)).calls());
      nodes.put(node, known);
    }
    return known;
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
  public void plan(FaultRounds faults) {
    program.plan(faults);
  }

  @Override
  public void run() {
    tasks.runAll();
  }

  @Override
  public long timeLimit() {
    return Math.max(
        300_000, UNITS_PER_TRANSACTION * world.options.sessions() * world.options.transactions());
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
    List<String> problems = new ArrayList<>(world.problems);
    if (tasks.stranger() != null) {
      problems.add("a node was used on a thread of its own, " + tasks.stranger());
    }
    world.cuts.toldInVain().forEach(told -> problems.add("told of a loss in vain: " + told));
    if (new RestCheck(world, membership, problems).check()) {
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
