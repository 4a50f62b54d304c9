package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.BlockingTransaction;
import io.canopygrid.gmu.node.CommitsLostException;
import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.NodeClosedException;
import io.canopygrid.gmu.node.TransactionSteps;
import io.canopygrid.gmu.protocol.Begun;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A simulated node as the layers above see it; its calls block tasks instead of threads. */
final class TaskNode implements GmuNode, TransactionSteps {
  private static final int ENTERED_AT_ONCE_MAX = 20_000;

  final SimulatedNode node;
  private final SimulatedWorld world;
  private final NodeSteps steps;
  private final Tasks tasks;
  private final RequestNumbers requests;
  private final TaskThreads threads;
  private final TaskCalls calls;
  private final List<GrowthListener> listeners = new ArrayList<>();

  /** The time at which a caller has come last, and how many have come at that time. */
  private long enteredAt;

  private int entered;

  /** In the order of the calls, as are the commits: a handle's number depends on a thread's. */
  private final Map<Long, TaskCell<Effect.Answer>> reads = new LinkedHashMap<>();

  private final Map<Long, TaskCell<Effect.Ended>> commits = new LinkedHashMap<>();

  TaskNode(
      SimulatedWorld world,
      NodeSteps steps,
      Tasks tasks,
      RequestNumbers requests,
      SimulatedNode node,
      Function<NodeId, TaskCalls> others) {
    this.world = world;
    this.steps = steps;
    this.tasks = tasks;
    this.requests = requests;
    this.node = node;
    this.calls = new TaskCalls(world, tasks, node, others);
    this.threads = new TaskThreads(world.events, world.random, tasks, TaskThreads.NANOS_PER_UNIT);
  }

  // ---- for those above

  @Override
  public NodeId self() {
    return node.id;
  }

  @Override
  public Topology topology() {
    Topology topology = node.topology;
    if (topology == null) {
      throw new IllegalStateException("the node has no topology yet");
    }
    return topology;
  }

  @Override
  public ShardMap shardMap() {
    return world.shards;
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    enter();
    requireKept(token);
    Begun begun = node.protocol.begin(token);
    return new BlockingTransaction(this, begun, ShardSet.EMPTY, deadlineNanos);
  }

  @Override
  public GmuTransaction beginAt(VectorClock clock, boolean isPinned, long deadlineNanos) {
    checkAlive();
    requireKept(clock);
    Begun begun = node.protocol.beginAt(clock, isPinned);
    return new BlockingTransaction(this, begun, world.shards.all(), deadlineNanos);
  }

  @Override
  public void requireKept(VectorClock clock) {
    CommitsLostException.requireKept(node.protocol, clock);
  }

  @Override
  public int cuts() {
    return node.protocol.cuts();
  }

  @Override
  public OrderedView<VersionChain> top() {
    return node.protocol.view(world.shards.top());
  }

  @Override
  public ChangeAnswer changes(ChangeQuery query, ChangeFilter filter) {
    checkAlive();
    return node.protocol.changes(query, filter);
  }

  @Override
  public KclSize size(long kcl) {
    return node.protocol.size(kcl);
  }

  @Override
  public void tellTraffic(Traffic listener) {
    node.protocol.tellTraffic(listener);
  }

  @Override
  public void onGrowth(GrowthListener listener) {
    listeners.add(listener);
  }

  @Override
  public long oldestTransactionNanos() {
    return node.protocol.holds().oldestNanos();
  }

  @Override
  public GmuCounters counters() {
    return GmuCounters.NONE;
  }

  @Override
  public NodeThreads threads() {
    return threads;
  }

  @Override
  public TaskCalls calls() {
    return calls;
  }

  /** Membership is the simulation's business. */
  @Override
  public void close() {}

  // ---- for transactions

  @Override
  public @Nullable LocalRead tryRead(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    enter();
    return world.random.chance(0.2)
        ? null
        : node.protocol.tryRead(node.topologyId(), query, clock, hasRead);
  }

  @Override
  public boolean isOld(long transaction) {
    return node.protocol.isOld(transaction);
  }

  @Override
  public @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    checkAlive();
    return node.protocol.tryReadNearest(query, clock, hasRead);
  }

  @Override
  public Asked ask(
      long transaction,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead,
      long deadlineNanos) {
    enter();
    Map<Long, TaskCell<Effect.Answer>> asked = new LinkedHashMap<>();
    long first = requests.next(queries.size());
    for (int i = 0; i < queries.size(); i++) {
      asked.put(first + i, new TaskCell<>(tasks, world.events));
    }
    reads.putAll(asked);
    List<Effect> effects = new ArrayList<>();
    node.protocol.read(transaction, first, queries, alone, clock, hasRead, world.now(), effects);
    steps.carryOut(node, effects);
    return new OpenReads(asked);
  }

  /** Reads that a task waits for. */
  private final class OpenReads implements Asked {
    private final Map<Long, TaskCell<Effect.Answer>> asked;

    OpenReads(Map<Long, TaskCell<Effect.Answer>> asked) {
      this.asked = asked;
    }

    @Override
    public @Nullable List<LocalRead> await(long deadlineNanos) {
      List<LocalRead> answers = new ArrayList<>();
      for (TaskCell<Effect.Answer> cell : asked.values()) {
        Effect.Answer answer = cell.await(TaskThreads.units(deadlineNanos));
        if (answer == null) {
          checkAlive();
          return null;
        }
        answers.add(new LocalRead(answer.shard(), answer.clock(), answer.answer()));
      }
      return answers;
    }

    @Override
    public void close() {
      reads.keySet().removeAll(asked.keySet());
    }
  }

  @Override
  public Outcome commit(
      long transaction, VectorClock clock, Footprint footprint, String label, long deadlineNanos) {
    enter();
    TaskCell<Effect.Ended> cell = new TaskCell<>(tasks, world.events);
    commits.put(transaction, cell);
    List<Effect> effects = new ArrayList<>();
    node.protocol.commit(transaction, clock, footprint, label, world.now(), effects);
    steps.carryOut(node, effects);
    Effect.Ended ended = cell.await(TaskThreads.units(deadlineNanos));
    if (ended == null && !node.dead) {
      List<Effect> givenUp = new ArrayList<>();
      node.protocol.giveUp(transaction, world.now(), givenUp);
      steps.carryOut(node, givenUp);
      ended = cell.await(world.now());
    }
    commits.remove(transaction);
    if (ended != null && ended.outcome() instanceof Outcome.Committed committed) {
      tasks.current().committed = committed.clock();
    }
    return ended == null ? new Outcome.Unknown() : ended.outcome();
  }

  @Override
  public void end(long transaction) {
    if (!node.dead && !node.protocol.tryEnd(transaction)) {
      List<Effect> effects = new ArrayList<>();
      node.protocol.end(transaction, world.now(), effects);
      steps.carryOut(node, effects);
    }
  }

  /**
   * While the node stands still, so do its callers. A caller that asks again and again without a
   * rest asks for ever: its answers can all come at once.
   */
  private void enter() {
    tasks.requireOwnThread();
    entered = enteredAt == world.now() ? entered + 1 : 0;
    enteredAt = world.now();
    Invariant.holds(entered < ENTERED_AT_ONCE_MAX, "callers of %s do not let time go on", node.id);
    while (node.isPaused(world.now())) {
      tasks.sleep(node.pausedUntil - world.now());
    }
    checkAlive();
  }

  private void checkAlive() {
    if (node.dead) {
      throw new NodeClosedException("the node is gone", null);
    }
  }

  // ---- from below

  void onAnswer(Effect.Answer answer) {
    TaskCell<Effect.Answer> cell = reads.get(answer.request());
    if (cell != null) {
      cell.complete(answer);
    }
  }

  void onEnded(Effect.Ended ended) {
    TaskCell<Effect.Ended> cell = commits.get(ended.transaction());
    if (cell != null) {
      cell.complete(ended);
    }
  }

  void onGrew(Effect.Grew grew) {
    listeners.forEach(listener -> listener.grew(grew.kcl(), grew.entries()));
  }

  void onDeath() {
    threads.close();
    calls.onDeath();
    reads.values().forEach(TaskCell::abandon);
    commits.values().forEach(TaskCell::abandon);
  }

  boolean isWorking() {
    return threads.isWorking();
  }
}
