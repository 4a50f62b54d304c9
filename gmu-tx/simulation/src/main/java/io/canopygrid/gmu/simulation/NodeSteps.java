package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.simulation.Reads.Way;
import io.canopygrid.gmu.storage.CutContent;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the nodes of a run, gives them messages, timers and topologies, and carries out what they
 * ask for. The load and the membership hear of it through their interfaces.
 */
final class NodeSteps {
  private static final int WHOLE_CLOCKS_EVERY = 4;

  private final SimulatedWorld world;
  private final NodeFactory factory;
  private final ProtocolConfig config;

  /** There is one only when all parts of the run are made. */
  private final Supplier<SimulatedLoad> load;

  private final Supplier<HandOvers> handOvers;
  private final DiskReads disks;

  NodeSteps(
      SimulatedWorld world,
      NodeFactory factory,
      ProtocolConfig config,
      Supplier<SimulatedLoad> load,
      Supplier<HandOvers> handOvers) {
    this.world = world;
    this.factory = factory;
    this.config = config;
    this.load = load;
    this.handOvers = handOvers;
    this.disks = new DiskReads(world, this::carryOut);
  }

  // ---- nodes

  /** The number of nodes that may fail at once without a loss. */
  int failuresAtOnce() {
    return config.failuresAtOnce();
  }

  /** A node's regular work. */
  void tick(SimulatedNode node) {
    List<Effect> effects = new ArrayList<>();
    node.tickedAt = world.now();
    node.firstTickAt = node.firstTickAt < 0 ? world.now() : node.firstTickAt;
    node.protocol.onTick(world.now(), effects);
    carryOut(node, effects);
    SimulatedDisk disk = node.disk;
    if (disk != null && world.options.has(SimulatedFault.POWER)) {
      forceLater(node, disk);
    }
    if (disk != null && world.options.has(SimulatedFault.EVICT) && world.diskRandom.chance(0.3)) {
      List<Effect> told = new ArrayList<>();
      node.protocol.onReadable(disk.tellAll(), world.now(), told);
      carryOut(node, told);
    }
  }

  /** A new node, which has no topology yet. */
  SimulatedNode create() {
    if (world.options.hasDisks()) {
      return create(new SimulatedDisk(world.disks++));
    }
    NodeId id = nextId();
    VersionLedger ledger = new VersionLedger(factory.stores(), world::shardOf, world.cuts);
    return add(
        new SimulatedNode(
            id, factory.create(id, world.options.shards(), config, ledger), ledger, null));
  }

  /** A new node with a disk. */
  private SimulatedNode create(SimulatedDisk disk) {
    NodeId id = nextId();
    disk.use(id);
    VersionLedger ledger = new VersionLedger(factory.stores(), world::shardOf, world.cuts);
    boolean forcedLater = world.options.has(SimulatedFault.POWER);
    ProtocolNode protocol =
        factory.createStored(id, world.options.shards(), config, ledger, forcedLater);
    return add(new SimulatedNode(id, protocol, ledger, disk));
  }

  /** A new node begins with the disk of one that has died, and is one of those who found a grid. */
  SimulatedNode restart(SimulatedNode before, GridFounding founding) {
    SimulatedDisk disk = before.onDisk();
    SimulatedNode written = lastWritten(before, disk);
    Topology last = written.topology;
    Set<StorageChange.PutVersion> lost = new HashSet<>(disk.lost(written.id));
    SimulatedNode node = create(disk);
    node.founding = founding.topology();
    Cut cut = founding.cut();
    Recovered recovered = cut == null ? disks.closed(disk) : disks.recovered(disk);
    if (cut != null) {
      CutContent.of(recovered, cut).changes().forEach(change -> addDropped(change, lost));
    }
    node.protocol.founds(founding, recovered);
    node.ledger.inherit(
        written.ledger, shard -> last != null && !last.shard(shard).isHeldBy(written.id), lost);
    if (cut != null) {
      node.ledger.drop(shard -> !recovered.copies().containsKey(shard));
    }
    return node;
  }

  private static void addDropped(StorageChange change, Set<StorageChange.PutVersion> lost) {
    if (change instanceof StorageChange.DropVersion drop) {
      TxId tid = drop.tid();
      lost.add(
          new StorageChange.PutVersion(
              drop.shard(), drop.key(), drop.sequenceNumber(), tid, tid, null));
    }
  }

  /** A new node with the disk of one that has died joins a grid that has gone on. */
  SimulatedNode rejoin(SimulatedNode before) {
    SimulatedDisk disk = before.onDisk();
    SimulatedNode written = lastWritten(before, disk);
    SimulatedNode node = create(disk);
    node.cameBackAs = written;
    node.protocol.joins(disks.recovered(disk));
    return node;
  }

  /** The last node of which the disk has something: one that came back may have died too soon. */
  private static SimulatedNode lastWritten(SimulatedNode last, SimulatedDisk disk) {
    SimulatedNode before = last.cameBackAs;
    return before == null || disk.isUsed() ? last : before;
  }

  /** Forces what the disk has, soon. */
  private void forceLater(SimulatedNode node, SimulatedDisk disk) {
    world.after(
        world.now() > world.faultsEnd
            ? world.diskRandom.below(10)
            : world.diskRandom.below(world.forceDelayMax),
        () -> {
          if (!node.dead && !node.isPaused(world.now())) {
            List<Effect> effects = new ArrayList<>();
            node.protocol.onForced(disk.force(), world.now(), effects);
            carryOut(node, effects);
          }
        });
  }

  private NodeId nextId() {
    return new NodeId(world.nodes.size() + 1);
  }

  /** Some nodes do not know yet that all others take clocks that name a part only. */
  private SimulatedNode add(SimulatedNode node) {
    boolean allowed = (world.seed + node.id.value()) % WHOLE_CLOCKS_EVERY != 0;
    node.protocol.allowNarrowClocks(() -> allowed);
    world.nodes.put(node.id, node);
    load.get().onCreate(node);
    return node;
  }

  void install(SimulatedNode node, Topology topology) {
    if (node.dead || node.halted) {
      return;
    }
    if (node.isPaused(world.now())) {
      world.after(node.pausedUntil - world.now(), () -> install(node, topology));
      return;
    }
    if (overtakesFirst(node, topology)) {
      world.after(1, () -> install(node, topology));
      return;
    }
    world.trace.event(world.now(), "topology", node.id.value(), topology.id());
    if (topology.id() > node.topologyId()) {
      boolean gap = node.topology != null && topology.id() > node.topologyId() + 1;
      node.ledger.forget(shard -> startsOver(node, topology, gap, shard), topology.shards().size());
      node.topology = topology;
    }
    boolean mayBeOfOther = mayHaveOther(node);
    Map<CompositeKey, Set<VersionLedger.Place>> known =
        mayBeOfOther ? node.ledger.known() : Map.of();
    List<Effect> effects = new ArrayList<>();
    if (!takes(node, topology, effects)) {
      kill(node);
      return;
    }
    if (mayBeOfOther) {
      node.ledger.cameBack(known);
    }
    carryOut(node, effects);
    if (!topology.members().contains(node.id)) {
      // The node has ended, and can still be asked.
      node.halted = true;
      world.after(40, () -> kill(node));
    }
  }

  /** Whether a node's disk may have what was never in this grid: only after a cut. */
  private boolean mayHaveOther(SimulatedNode node) {
    return node.cameBackAs != null && world.options.has(SimulatedFault.POWER);
  }

  /**
   * Whether a founder of the grid would miss its first topology. Any other one may be overtaken
   * while the node stands still, which is as if the node had missed it.
   */
  private boolean overtakesFirst(SimulatedNode node, Topology topology) {
    return node.topology == null && node.founding > 0 && topology.id() > node.founding;
  }

  /** False: the node has stopped instead, as it has to where it was made an owner hastily. */
  private boolean takes(SimulatedNode node, Topology topology, List<Effect> effects) {
    try {
      node.protocol.onTopology(topology, world.now(), effects);
      return true;
    } catch (InvariantViolation e) {
      if (node.hasty) {
        world.counters.add("hasty nodes stopped", 1);
        return false;
      }
      throw e;
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
      world.trace.event(world.now(), "dead", node.id.value(), 0);
      load.get().onDeath(node);
    }
  }

  // ---- what nodes ask for

  /** Does what a node's step asks for that no message has caused. */
  void carryOut(SimulatedNode node, List<Effect> effects) {
    carryOut(node, effects, null);
  }

  /**
   * Does what a node's step asks for.
   *
   * @param unseen what the message that caused it carried along for the checker
   */
  private void carryOut(SimulatedNode node, List<Effect> effects, @Nullable Unseen unseen) {
    if (world.options.has(SimulatedFault.POWER) && node.protocol.isReady()) {
      world.cuts.ended(node.topologyId());
    }
    for (Effect effect : effects) {
      if (effect instanceof Effect.Store store) {
        store(node, store);
      } else if (effect instanceof Effect.Send send) {
        send(node, send);
      } else if (effect instanceof Effect.Load asked) {
        disks.load(node, asked);
      } else if (effect instanceof Effect.Open asked) {
        disks.open(node, asked);
      } else if (effect instanceof Effect.Answer answer) {
        load.get()
            .onAnswer(
                node,
                answer,
                unseen == null ? load.get().ghosts(node, answer.shard()) : unseen.ghosts());
      } else if (effect instanceof Effect.Ended ended) {
        load.get().onEnded(node, ended);
      } else if (effect instanceof Effect.WakeAt wake) {
        world.after(wake.nanos() - world.now(), () -> timer(node, wake.timer()));
      } else if (effect instanceof Effect.NumbersRunOut half) {
        world.after(world.network.delay(), () -> handOvers.get().renew(half.topology()));
      } else if (effect instanceof Effect.Synced synced) {
        world.after(world.network.delay(), () -> handOvers.get().onSynced(node.id, synced));
      } else if (effect instanceof Effect.Grew grew) {
        load.get().onGrew(node, grew);
      }
    }
  }

  private void store(SimulatedNode node, Effect.Store store) {
    SimulatedDisk disk = Invariant.present(node.disk, "stores, and has no disk");
    disk.ask(store);
    long delay =
        store.isReliedOn()
            ? disk.delay(world.diskRandom, world.slowDisks, world.now())
            : disk.rest(world.diskRandom);
    world.after(delay, () -> stored(node, disk, store.position()));
  }

  private void stored(SimulatedNode node, SimulatedDisk disk, long position) {
    if (node.dead) {
      return;
    }
    if (node.isPaused(world.now())) {
      world.after(node.pausedUntil - world.now(), () -> stored(node, disk, position));
      return;
    }
    disk.write(position);
    List<Effect> effects = new ArrayList<>();
    node.protocol.onStored(position, world.now(), effects);
    carryOut(node, effects);
  }

  private void timer(SimulatedNode node, Effect.Timer timer) {
    if (node.isPaused(world.now())) {
      world.after(node.pausedUntil - world.now(), () -> timer(node, timer));
      return;
    }
    if (!node.dead) {
      long of = timer instanceof Effect.LockTimer lock ? lock.tid().counter() : -1;
      world.trace.event(world.now(), "timer", node.id.value(), of);
      List<Effect> effects = new ArrayList<>();
      node.protocol.onTimer(timer, world.now(), effects);
      carryOut(node, effects);
    }
  }

  private void send(SimulatedNode from, Effect.Send send) {
    if (send.message() instanceof Message.Watermarks
        && !world.options.reads().has(Way.NEAREST)
        && !world.options.hasDisks()) {
      // Nobody reads at backups, and no disk needs to know what it has.
      return;
    }
    Unseen unseen = Unseen.NONE;
    if (send.message() instanceof Message.ReadReply reply) {
      unseen = new Unseen(load.get().ghosts(from, reply.shard()), Map.of());
    } else if (send.message() instanceof Message.State state) {
      int shard = state.shard();
      boolean old = state.topology() < from.topologyId();
      unseen = new Unseen(Map.of(), from.ledger.copyOf(key -> world.shardOf(key) == shard, old));
    }
    Unseen along = unseen;
    SimulatedNode to = world.node(send.to());
    world.counters.add("messages", 1);
    Message message = whole(from, send.message());
    if (message == null) {
      return;
    }
    post(from, to, message, along);
    if (world.network.repeats()) {
      world.counters.add("messages repeated", 1);
      post(from, to, message, along);
    }
  }

  /** A message with the values that were on the disk only; null: it is of no use any more. */
  private static @Nullable Message whole(SimulatedNode from, Message message) {
    SimulatedDisk disk = from.disk;
    if (disk == null || !(message instanceof Message.State state)) {
      return message;
    }
    List<Message.KeyVersions> chains = new ArrayList<>();
    for (Message.KeyVersions each : state.chains()) {
      VersionChain chain =
          each.chain()
              .warmed(v ->
                  disk.read(new VersionId(state.shard(), each.key(), v.sequenceNumber(), v.tid())));
      if (chain != null) {
        chains.add(new Message.KeyVersions(each.key(), chain));
      }
    }
    return state.topology() == from.topologyId() ? state.withChains(chains) : null;
  }

  private void post(SimulatedNode from, SimulatedNode to, Message message, Unseen along) {
    if (world.network.loses(from.id, to.id, world.now(), world.now() > world.faultsEnd)) {
      world.counters.add("messages lost", 1);
      return;
    }
    world.after(
        world.network.delay(from.id, to.id, world.now()), () -> deliver(from, to, message, along));
  }

  private void deliver(SimulatedNode from, SimulatedNode to, Message message, Unseen unseen) {
    if (to.dead || (from.dead && world.random.chance(0.5))) {
      return;
    }
    if (to.isPaused(world.now())) {
      world.after(to.pausedUntil - world.now(), () -> deliver(from, to, message, unseen));
      return;
    }
    world.trace.delivered(world.now(), from.id.value(), to.id.value(), message);
    if (message instanceof Message.State state
        && state.topology() == to.topologyId()
        && to.topology != null
        && to.topology.shard(state.shard()).learners().contains(to.id)) {
      to.ledger.merge(unseen.history());
      world.counters.add("keys told gone", state.gone().size());
      if (state.last()) {
        world.counters.add(state.since() > 0 ? "shards by changes" : "shards whole", 1);
      }
    }
    List<Effect> effects = new ArrayList<>();
    to.protocol.onMessage(from.id, message, world.now(), effects);
    if (message instanceof Message.State state && mayHaveOther(to)) {
      completed(to, state.shard());
    }
    if (message instanceof Message.HotPush push) {
      HotCheck.check(world, to, push.shard());
    }
    // An answer that some other message set free comes from this node itself.
    carryOut(to, effects, message instanceof Message.ReadReply ? unseen : null);
  }

  private static void completed(SimulatedNode node, int shard) {
    if (node.protocol.status().shards().stream().anyMatch(s -> s.shard() == shard && s.synced())) {
      node.ledger.completed(shard);
    }
  }

  /** The part of a message that is for the checker only. */
  private record Unseen(
      Map<CompositeKey, TxId> ghosts, Map<CompositeKey, VersionLedger.Entry> history) {
    static final Unseen NONE = new Unseen(Map.of(), Map.of());
  }
}
