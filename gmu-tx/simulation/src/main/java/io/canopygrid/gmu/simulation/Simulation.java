package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.simulation.Reads.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of a whole grid: nodes, network, membership, clients and faults, on one thread and in
 * virtual time. The seed decides everything.
 *
 * <p>What can go wrong is chosen by {@link Fault}. The failure model is that of protocol.md: so
 * many failures at once as the grid is made for, the next only when all shards have their owners
 * again and all members have completed the flush. Planned changes may happen at any time.
 */
public final class Simulation {
  /** How long the grid is left alone at the end: for what is slow, and for the last marks. */
  private static final long REST = 1_500;

  final long seed;
  final SimulationOptions options;
  final SeededRandom random;
  final ReadMix readMix;
  final Counters counters = new Counters();
  final EventQueue events = new EventQueue();
  final Trace trace;
  final ShardMap shards;
  final Map<NodeId, SimulatedNode> nodes = new TreeMap<>();
  final List<String> problems = new ArrayList<>();
  final Membership membership;
  final Load load;
  private final FaultPlan faults;
  private final NodeFactory factory;
  private final ProtocolConfig config;
  final Network network;
  private final long[] kcls;
  private long ticksUntil = -1;

  private Simulation(
      long seed, SimulationOptions options, NodeFactory factory, Watch watch, Load.Factory loads) {
    this.seed = seed;
    this.options = options;
    this.factory = factory;
    this.random = stream(0);
    this.readMix = new ReadMix(stream(4), stream(5), stream(6), options.reads());
    this.trace = new Trace(watch.traced());
    this.shards = new ShardMap(options.shards());
    this.kcls = kcls();
    this.network = new Network(options, stream(1));
    this.config = config();
    this.membership = new Membership(this, stream(2));
    this.load = loads.create(this);
    this.faults = new FaultPlan(this, stream(3));
  }

  private ProtocolConfig config() {
    SeededRandom own = stream(50);
    int resend = options.has(Fault.LOSS) ? own.oneOf(60, 150, 400) : 2_000;
    int scanned = own.oneOf(2, 1_000, 1_000);
    int bytes = own.oneOf(30, 1 << 20, 1 << 20);
    int failures = options.has(Fault.SHARD_LOSS) ? options.owners() : options.failuresAtOnce();
    return new ProtocolConfig(random.oneOf(30, 100, 300), scanned, bytes, 40)
        .withResendNanos(resend)
        .withCounterBits(options.counterBits())
        .withFailuresAtOnce(failures);
  }

  /** How many nodes may fail at once without a loss. */
  int failuresAtOnce() {
    return config.failuresAtOnce();
  }

  /** Runs a grid of real nodes to the end. */
  public static SimulationResult run(long seed, SimulationOptions options) {
    return run(seed, options, NodeFactory.REAL, Watch.RESULT);
  }

  /** Runs to the end. */
  public static SimulationResult run(
      long seed, SimulationOptions options, NodeFactory factory, Watch watch) {
    return new Simulation(seed, options, factory, watch, ClientLoad::new).result(watch);
  }

  /** Runs a program above the transaction layer to the end. */
  public static SimulationResult run(
      long seed,
      SimulationOptions options,
      NodeFactory factory,
      Watch watch,
      GridProgram.Factory programs) {
    Load.Factory loads = grid -> new TaskLoad(grid, programs);
    return new Simulation(seed, options, factory, watch, loads).result(watch);
  }

  private SimulationResult result(Watch watch) {
    List<String> failures = run();
    if (watch.historyReader() != null) {
      watch.historyReader().accept(load.history());
    }
    load.count(counters);
    counters.add("topologies", membership.current().id());
    return new SimulationResult(
        seed,
        options,
        List.copyOf(failures),
        List.copyOf(trace.lines()),
        trace.hash(),
        counters.all());
  }

  /**
   * The seed's random numbers for one purpose: so that fewer clients, or fewer faults, leave the
   * rest of a run as it is for as long as possible.
   */
  SeededRandom stream(int purpose) {
    return new SeededRandom(new SeededRandom(seed * 0x10001L + purpose).nextLong());
  }

  private List<String> run() {
    membership.start();
    load.start();
    after(25, this::tick);
    faults.schedule();
    try {
      load.run();
    } catch (InvariantViolation e) {
      problems.add("invariant: " + e.getMessage());
      return problems;
    } catch (RuntimeException e) {
      problems.add("crash: " + e);
      return problems;
    }
    if (!events.isEmpty()) {
      problems.add("liveness: still busy at the time limit");
    }
    return load.check();
  }

  /** Runs the next event; false: there is none within the limit. */
  boolean runNext() {
    return events.runNext(load.timeLimit());
  }

  /** Whether there are no more faults, and all that they have done is repaired. */
  boolean isCalm() {
    return faults.isOver() && membership.isRecovered();
  }

  int delay() {
    return network.delay();
  }

  void after(long delay, Runnable action) {
    events.after(delay, action);
  }

  long now() {
    return events.now();
  }

  SimulatedNode node(NodeId id) {
    SimulatedNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalStateException("no such node: " + id);
    }
    return node;
  }

  /** The key with a number in a shard: each shard has one kcl. */
  CompositeKey key(int shard, int number) {
    return CompositeKey.of(kcls[shard], new byte[] {(byte) (number + 1)});
  }

  long kcl(int shard) {
    return kcls[shard];
  }

  int shardOf(CompositeKey key) {
    return shards.shardOf(key.kcl());
  }

  private long[] kcls() {
    long[] found = new long[options.shards() + 1];
    for (long kcl = ShardMap.TOP_KCL + 1, missing = options.shards(); missing > 0; kcl++) {
      int shard = shards.shardOf(kcl);
      if (found[shard] == 0) {
        found[shard] = kcl;
        missing--;
      }
    }
    found[shards.top()] = 1;
    return found;
  }

  // ---- nodes

  SimulatedNode createNode() {
    NodeId id = new NodeId(nodes.size() + 1);
    VersionLedger ledger = new VersionLedger(factory.stores(), this::shardOf);
    SimulatedNode node =
        new SimulatedNode(id, factory.create(id, options.shards(), config, ledger), ledger);
    nodes.put(id, node);
    load.onCreate(node);
    return node;
  }

  void install(SimulatedNode node, Topology topology) {
    if (node.dead || node.halted) {
      return;
    }
    if (node.isPaused(now())) {
      after(node.pausedUntil - now(), () -> install(node, topology));
      return;
    }
    trace.event(now(), "topology", node.id.value(), topology.id());
    if (topology.id() > node.topologyId()) {
      boolean gap = node.topology != null && topology.id() > node.topologyId() + 1;
      node.ledger.forget(shard -> startsOver(node, topology, gap, shard), topology.shards().size());
      node.topology = topology;
    }
    List<Effect> effects = new ArrayList<>();
    node.protocol.onTopology(topology, now(), effects);
    carryOut(node, effects, null);
    if (!topology.members().contains(node.id)) {
      // It has ended, and can still be asked.
      node.halted = true;
      after(40, () -> kill(node));
    }
  }

  /** Whether a node's copy of a shard is dropped, or begun anew, with a topology. */
  private static boolean startsOver(SimulatedNode node, Topology topology, boolean gap, int shard) {
    Topology.Placement placement = topology.shard(shard);
    return !placement.isHeldBy(node.id) || (gap && placement.learners().contains(node.id));
  }

  void kill(SimulatedNode node) {
    if (!node.dead) {
      node.dead = true;
      trace.event(now(), "dead", node.id.value(), 0);
      load.onDeath(node);
    }
  }

  /** Whether a node has heard of the last change: nobody answers it who has not. */
  boolean knowsNewest(SimulatedNode node) {
    return node.topologyId() == membership.current().id();
  }

  // ---- what nodes ask for

  /**
   * Does what a node's step asks for.
   *
   * @param unseen what the message that caused it carried along for the checker
   */
  void carryOut(SimulatedNode node, List<Effect> effects, @Nullable Unseen unseen) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send) {
        send(node, send);
      } else if (effect instanceof Effect.Answer answer) {
        load.onAnswer(
            node, answer, unseen == null ? load.ghosts(node, answer.shard()) : unseen.ghosts());
      } else if (effect instanceof Effect.Ended ended) {
        load.onEnded(node, ended);
      } else if (effect instanceof Effect.WakeAt wake) {
        after(wake.nanos() - now(), () -> timer(node, wake.timer()));
      } else if (effect instanceof Effect.NumbersRunOut half) {
        after(network.delay(), () -> membership.renew(half.topology()));
      } else if (effect instanceof Effect.Synced synced) {
        after(network.delay(), () -> membership.onSynced(node.id, synced));
      } else if (effect instanceof Effect.Grew grew) {
        load.onGrew(node, grew);
      }
    }
  }

  private void timer(SimulatedNode node, Effect.Timer timer) {
    if (node.isPaused(now())) {
      after(node.pausedUntil - now(), () -> timer(node, timer));
      return;
    }
    if (!node.dead) {
      long of = timer instanceof Effect.LockTimer lock ? lock.tid().counter() : -1;
      trace.event(now(), "timer", node.id.value(), of);
      List<Effect> effects = new ArrayList<>();
      node.protocol.onTimer(timer, now(), effects);
      carryOut(node, effects, null);
    }
  }

  private void send(SimulatedNode from, Effect.Send send) {
    if (send.message() instanceof Message.Watermarks && !options.reads().has(Way.NEAREST)) {
      // Nobody reads at backups.
      return;
    }
    Unseen unseen = Unseen.NONE;
    if (send.message() instanceof Message.ReadReply reply) {
      unseen = new Unseen(load.ghosts(from, reply.shard()), Map.of());
    } else if (send.message() instanceof Message.State state) {
      int shard = state.shard();
      unseen = new Unseen(Map.of(), from.ledger.copyOf(key -> shardOf(key) == shard));
    }
    Unseen along = unseen;
    SimulatedNode to = node(send.to());
    counters.add("messages", 1);
    post(from, to, send.message(), along);
    if (network.repeats()) {
      counters.add("messages repeated", 1);
      post(from, to, send.message(), along);
    }
  }

  private void post(SimulatedNode from, SimulatedNode to, Message message, Unseen along) {
    if (network.loses(from.id, to.id, now(), now() > faults.end())) {
      counters.add("messages lost", 1);
      return;
    }
    after(network.delay(from.id, to.id, now()), () -> deliver(from, to, message, along));
  }

  private void deliver(SimulatedNode from, SimulatedNode to, Message message, Unseen unseen) {
    if (to.dead || (from.dead && random.chance(0.5))) {
      return;
    }
    if (to.isPaused(now())) {
      after(to.pausedUntil - now(), () -> deliver(from, to, message, unseen));
      return;
    }
    trace.delivered(now(), from.id.value(), to.id.value(), message);
    if (message instanceof Message.State state
        && state.topology() == to.topologyId()
        && to.topology != null
        && to.topology.shard(state.shard()).learners().contains(to.id)) {
      to.ledger.merge(unseen.history());
    }
    List<Effect> effects = new ArrayList<>();
    to.protocol.onMessage(from.id, message, now(), effects);
    // An answer that some other message set free comes from this node itself.
    carryOut(to, effects, message instanceof Message.ReadReply ? unseen : null);
  }

  /** What a message carries along for the checker only. */
  record Unseen(Map<CompositeKey, TxId> ghosts, Map<CompositeKey, VersionLedger.Entry> history) {
    static final Unseen NONE = new Unseen(Map.of(), Map.of());
  }

  // ---- ticks

  private void tick() {
    for (SimulatedNode node : List.copyOf(nodes.values())) {
      if (!node.dead && !node.isPaused(now())) {
        List<Effect> effects = new ArrayList<>();
        node.protocol.onTick(now(), effects);
        carryOut(node, effects, null);
      }
    }
    boolean quiet = now() > faults.end() && load.isFinished();
    if (ticksUntil < 0 && quiet) {
      ticksUntil = now() + REST;
    }
    if (ticksUntil < 0) {
      after(random.oneOf(15, 40, 90), this::tick);
    } else if (now() < ticksUntil) {
      after(120, this::tick);
    }
  }
}
