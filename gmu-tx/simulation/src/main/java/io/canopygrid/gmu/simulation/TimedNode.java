package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.KclSize;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.node.BlockingTransaction;
import io.canopygrid.gmu.node.EffectCounters;
import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.TransactionSteps;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A node of a {@link TimedGrid}; its calls block tasks instead of threads. */
final class TimedNode implements GmuNode, TransactionSteps {
  private final TimedGrid grid;
  private final NodeId id;
  private final ProtocolNode protocol;
  private final TaskThreads threads;
  private final TimedCores cores;
  private final TimedCores lane = new TimedCores(1);
  private final EffectCounters tally = new EffectCounters();
  private final List<GrowthListener> listeners = new ArrayList<>();
  private final Map<Long, TaskCell<Effect.Answer>> reads = new HashMap<>();
  private final Map<Long, TaskCell<Effect.Ended>> commits = new HashMap<>();
  private NodeCalls.@Nullable Server server;
  private @Nullable Topology topology;

  TimedNode(
      TimedGrid grid,
      NodeId id,
      ProtocolConfig config,
      OrderedStore.Factory stores,
      Fences fences) {
    this.grid = grid;
    this.id = id;
    this.protocol = new ProtocolNode(id, grid.shards.shards(), config, stores, fences);
    this.threads = new TaskThreads(grid.events, grid.random, grid.tasks, 1);
    this.cores = new TimedCores(grid.costs().cores());
  }

  // ---- for those above

  @Override
  public NodeId self() {
    return id;
  }

  @Override
  public Topology topology() {
    return Invariant.present(topology, "no topology yet");
  }

  @Override
  public ShardMap shardMap() {
    return grid.shards;
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    return new BlockingTransaction(this, protocol.begin(token), ShardSet.EMPTY, deadlineNanos);
  }

  @Override
  public GmuTransaction beginAt(VectorClock pinned, long deadlineNanos) {
    return new BlockingTransaction(
        this, protocol.beginAt(pinned), grid.shards.all(), deadlineNanos);
  }

  @Override
  public OrderedView<VersionChain> top() {
    return protocol.view(grid.shards.top());
  }

  @Override
  public KclSize size(long kcl) {
    return protocol.size(kcl);
  }

  @Override
  public void tellTraffic(Traffic listener) {
    protocol.tellTraffic(listener);
  }

  @Override
  public void onGrowth(GrowthListener listener) {
    listeners.add(listener);
  }

  @Override
  public long oldestTransactionNanos() {
    return protocol.oldestNanos();
  }

  @Override
  public GmuCounters counters() {
    return tally.snapshot();
  }

  @Override
  public NodeThreads threads() {
    return threads;
  }

  @Override
  public NodeCalls calls() {
    return new Calls();
  }

  /** The grid ends as a whole. */
  @Override
  public void close() {}

  // ---- for transactions

  @Override
  public @Nullable LocalRead tryRead(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    return protocol.tryRead(topology().id(), query, clock, hasRead);
  }

  @Override
  public @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead) {
    return protocol.tryReadNearest(query, clock, hasRead);
  }

  @Override
  public Asked ask(
      long transaction,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead,
      long deadlineNanos) {
    Map<Long, TaskCell<Effect.Answer>> asked = new LinkedHashMap<>();
    long first = grid.nextRequests(queries.size());
    for (int i = 0; i < queries.size(); i++) {
      asked.put(first + i, new TaskCell<>(grid.tasks, grid.events));
    }
    reads.putAll(asked);
    List<Effect> effects = new ArrayList<>();
    protocol.read(transaction, first, queries, alone, clock, hasRead, grid.now(), effects);
    carryOut(effects);
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
        Effect.Answer answer = cell.await(deadlineNanos);
        if (answer == null) {
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
  public boolean agrees(LocalRead read, VectorClock clock, ShardSet hasRead) {
    return protocol.agrees(read, clock, hasRead);
  }

  @Override
  public Outcome commit(
      long transaction, VectorClock clock, Footprint footprint, String label, long deadlineNanos) {
    TaskCell<Effect.Ended> cell = new TaskCell<>(grid.tasks, grid.events);
    commits.put(transaction, cell);
    List<Effect> effects = new ArrayList<>();
    protocol.commit(transaction, clock, footprint, label, grid.now(), effects);
    carryOut(effects);
    Effect.Ended ended = cell.await(deadlineNanos);
    if (ended == null) {
      List<Effect> givenUp = new ArrayList<>();
      protocol.giveUp(transaction, grid.now(), givenUp);
      carryOut(givenUp);
      ended = cell.await(grid.now());
    }
    commits.remove(transaction);
    return ended == null ? new Outcome.Unknown() : ended.outcome();
  }

  @Override
  public void end(long transaction) {
    if (!protocol.tryEnd(transaction)) {
      List<Effect> effects = new ArrayList<>();
      protocol.end(transaction, grid.now(), effects);
      carryOut(effects);
    }
  }

  // ---- work

  TimedCores cores() {
    return cores;
  }

  TimedCores lane() {
    return lane;
  }

  /** When a step of the protocol is done that can begin at a time: it needs the lock and a core. */
  long step(long from, long nanos) {
    long locked = lane.reserve(from, nanos);
    return Math.max(locked, cores.reserve(locked - nanos, nanos));
  }

  /** The current task waits until a core has done this. */
  void work(long nanos) {
    Tasks.Task self = grid.tasks.current();
    long done = cores.reserve(grid.now(), nanos);
    grid.tasks.wakeAfter(done - grid.now(), self);
    grid.tasks.block(self);
  }

  // ---- from below

  void install(Topology next) {
    topology = next;
    List<Effect> effects = new ArrayList<>();
    protocol.onTopology(next, grid.now(), effects);
    carryOut(effects);
  }

  void deliver(NodeId from, Message message) {
    List<Effect> effects = new ArrayList<>();
    grid.wire.deliver(message, () -> protocol.onMessage(from, message, grid.now(), effects));
    carryOut(effects);
  }

  void tick() {
    List<Effect> effects = new ArrayList<>();
    protocol.onTick(grid.now(), effects);
    carryOut(effects);
  }

  private void carryOut(List<Effect> effects) {
    tally.count(effects, topology);
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send) {
        long departs = cores.reserve(grid.now(), grid.costs().send());
        grid.post(this, send.to(), send.message(), departs);
      } else if (effect instanceof Effect.Answer answer) {
        TaskCell<Effect.Answer> cell = reads.get(answer.request());
        if (cell != null) {
          cell.complete(answer);
        }
      } else if (effect instanceof Effect.Ended ended) {
        TaskCell<Effect.Ended> cell = commits.get(ended.transaction());
        if (cell != null) {
          cell.complete(ended);
        }
      } else if (effect instanceof Effect.WakeAt wake) {
        grid.events.after(
            Math.max(0, wake.nanos() - grid.now()),
            () -> {
              List<Effect> next = new ArrayList<>();
              protocol.onTimer(wake.timer(), grid.now(), next);
              carryOut(next);
            });
      } else if (effect instanceof Effect.Grew grew) {
        listeners.forEach(listener -> listener.grew(grew.kcl(), grew.entries()));
      }
    }
  }

  /** Questions travel as messages do; who asks waits within {@code ask}. */
  private final class Calls implements NodeCalls {
    @Override
    public CompletableFuture<byte[]> ask(NodeId to, byte[] question) {
      TaskCell<byte[]> cell = new TaskCell<>(grid.tasks, grid.events);
      TimedNode there = grid.node(to);
      travel(TimedNode.this, there, () -> there.asked(TimedNode.this, question, cell));
      return CompletableFuture.completedFuture(
          Invariant.present(cell.await(Long.MAX_VALUE), "an answer"));
    }

    @Override
    public void serve(Server answers) {
      server = answers;
    }
  }

  private void asked(TimedNode from, byte[] question, TaskCell<byte[]> cell) {
    long done = cores.reserve(grid.now(), grid.costs().call());
    NodeCalls.Server answers = Invariant.present(server, "nobody answers here");
    grid.events.after(
        done - grid.now(),
        () -> answers.asked(question, answer -> travel(this, from, () -> cell.complete(answer))));
  }

  private void travel(TimedNode from, TimedNode to, Runnable then) {
    TimedCosts costs = grid.costs();
    long departs = from.cores.reserve(grid.now(), costs.send());
    grid.events.after(
        departs + costs.latency() - grid.now(),
        () -> {
          long received = to.cores.reserve(grid.now(), costs.receive());
          grid.events.after(received - grid.now(), then);
        });
  }
}
