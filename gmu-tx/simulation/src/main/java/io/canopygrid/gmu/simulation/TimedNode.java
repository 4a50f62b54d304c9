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
  private final TimedWorld world;

  /** All nodes of the grid, by their numbers, which begin at 1. */
  private final List<TimedNode> peers;

  private final NodeId id;
  private final ProtocolNode protocol;
  private final TaskThreads threads;
  private final TimedCores cores;
  private final TimedCores protocolLock = new TimedCores(1);
  private final EffectCounters tally = new EffectCounters();
  private final List<GrowthListener> listeners = new ArrayList<>();
  private final Map<Long, TaskCell<Effect.Answer>> reads = new HashMap<>();
  private final Map<Long, TaskCell<Effect.Ended>> commits = new HashMap<>();
  private NodeCalls.@Nullable Server server;
  private @Nullable Topology topology;

  TimedNode(
      TimedWorld world,
      List<TimedNode> peers,
      NodeId id,
      ProtocolConfig config,
      OrderedStore.Factory stores,
      Fences fences) {
    this.world = world;
    this.peers = peers;
    this.id = id;
    this.protocol = new ProtocolNode(id, world.shards.shards(), config, stores, fences);
    this.threads = new TaskThreads(world.events, world.random, world.tasks, 1);
    this.cores = new TimedCores(world.costs.cores());
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
    return world.shards;
  }

  @Override
  public GmuTransaction begin(VectorClock token, long deadlineNanos) {
    return new BlockingTransaction(this, protocol.begin(token), ShardSet.EMPTY, deadlineNanos);
  }

  @Override
  public GmuTransaction beginAt(VectorClock clock, boolean isPinned, long deadlineNanos) {
    return new BlockingTransaction(
        this, protocol.beginAt(clock, isPinned), world.shards.all(), deadlineNanos);
  }

  /** No power is cut here. */
  @Override
  public void requireKept(VectorClock clock) {}

  @Override
  public OrderedView<VersionChain> top() {
    return protocol.view(world.shards.top());
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
    return protocol.holds().oldestNanos();
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
  public boolean isOld(long transaction) {
    return protocol.isOld(transaction);
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
    long first = world.requests.next(queries.size());
    for (int i = 0; i < queries.size(); i++) {
      asked.put(first + i, new TaskCell<>(world.tasks, world.events));
    }
    reads.putAll(asked);
    List<Effect> effects = new ArrayList<>();
    protocol.read(transaction, first, queries, alone, clock, hasRead, world.now(), effects);
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
  public Outcome commit(
      long transaction, VectorClock clock, Footprint footprint, String label, long deadlineNanos) {
    TaskCell<Effect.Ended> cell = new TaskCell<>(world.tasks, world.events);
    commits.put(transaction, cell);
    List<Effect> effects = new ArrayList<>();
    protocol.commit(transaction, clock, footprint, label, world.now(), effects);
    carryOut(effects);
    Effect.Ended ended = cell.await(deadlineNanos);
    if (ended == null) {
      List<Effect> givenUp = new ArrayList<>();
      protocol.giveUp(transaction, world.now(), givenUp);
      carryOut(givenUp);
      ended = cell.await(world.now());
    }
    commits.remove(transaction);
    return ended == null ? new Outcome.Unknown() : ended.outcome();
  }

  @Override
  public void end(long transaction) {
    if (!protocol.tryEnd(transaction)) {
      List<Effect> effects = new ArrayList<>();
      protocol.end(transaction, world.now(), effects);
      carryOut(effects);
    }
  }

  // ---- work

  TimedCores cores() {
    return cores;
  }

  TimedCores protocolLock() {
    return protocolLock;
  }

  /** When a step of the protocol is done that can begin at a time: it needs the lock and a core. */
  private long step(long from, long nanos) {
    long locked = protocolLock.reserve(from, nanos);
    return Math.max(locked, cores.reserve(locked - nanos, nanos));
  }

  /** The current task waits until a core has done this. */
  void work(long nanos) {
    Tasks.Task self = world.tasks.current();
    long done = cores.reserve(world.now(), nanos);
    world.tasks.wakeAfter(done - world.now(), self);
    world.tasks.block(self);
  }

  // ---- from below

  void install(Topology next) {
    topology = next;
    List<Effect> effects = new ArrayList<>();
    protocol.onTopology(next, world.now(), effects);
    carryOut(effects);
  }

  private void deliver(NodeId from, Message message) {
    List<Effect> effects = new ArrayList<>();
    world.wire.deliver(message, () -> protocol.onMessage(from, message, world.now(), effects));
    carryOut(effects);
  }

  void tick() {
    List<Effect> effects = new ArrayList<>();
    protocol.onTick(world.now(), effects);
    carryOut(effects);
  }

  private void carryOut(List<Effect> effects) {
    tally.count(effects, topology);
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send) {
        long departs = cores.reserve(world.now(), world.costs.send());
        post(send.to(), send.message(), departs);
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
        world.events.after(
            Math.max(0, wake.nanos() - world.now()),
            () -> {
              List<Effect> next = new ArrayList<>();
              protocol.onTimer(wake.timer(), world.now(), next);
              carryOut(next);
            });
      } else if (effect instanceof Effect.Grew grew) {
        listeners.forEach(listener -> listener.grew(grew.kcl(), grew.entries()));
      }
    }
  }

  private TimedNode peer(NodeId node) {
    return peers.get((int) node.value() - 1);
  }

  /** A message departs at a time, and is worked on when it is there and a core is free. */
  private void post(NodeId to, Message message, long departs) {
    Message carried = world.wire.carry(message);
    TimedNode there = peer(to);
    world.events.after(
        departs + world.costs.latency() - world.now(),
        () -> {
          long received = there.cores.reserve(world.now(), world.costs.receive());
          long done = there.step(received, world.costs.step(message));
          world.events.after(done - world.now(), () -> there.deliver(id, carried));
        });
  }

  /** Questions travel as messages do; a task that asks waits within {@code ask}. */
  private final class Calls implements NodeCalls {
    @Override
    public CompletableFuture<byte[]> ask(NodeId to, byte[] question) {
      TaskCell<byte[]> cell = new TaskCell<>(world.tasks, world.events);
      TimedNode there = peer(to);
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
    long done = cores.reserve(world.now(), world.costs.call());
    NodeCalls.Server answers = Invariant.present(server, "nobody answers here");
    world.events.after(
        done - world.now(),
        () -> answers.asked(question, answer -> travel(this, from, () -> cell.complete(answer))));
  }

  private void travel(TimedNode from, TimedNode to, Runnable then) {
    TimedCosts costs = world.costs;
    long departs = from.cores.reserve(world.now(), costs.send());
    world.events.after(
        departs + costs.latency() - world.now(),
        () -> {
          long received = to.cores.reserve(world.now(), costs.receive());
          world.events.after(received - world.now(), then);
        });
  }
}
