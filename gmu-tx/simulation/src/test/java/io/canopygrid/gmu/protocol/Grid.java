package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.message.DiskTrouble;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.spi.Fences;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Some nodes whose messages a test delivers by hand, for scenarios: what is sent lies in {@link
 * #wire} until {@link #settle}. Node i has the id i + 1 and is the primary of shard i; TOP is the
 * last shard.
 */
final class Grid {
  static final ProtocolConfig CONFIG = new ProtocolConfig(1_000, 1_000, 1 << 20, 64);

  final int shards;
  final ShardMap map;
  final List<ProtocolNode> nodes = new ArrayList<>();
  final List<InFlight> wire = new ArrayList<>();
  final Map<Long, Effect.Answer> answers = new HashMap<>();
  final List<List<Effect>> others = new ArrayList<>();

  /** The timers that are set, and where. */
  final Map<Effect.Timer, Integer> timers = new LinkedHashMap<>();

  private final Function<NodeId, ProtocolNode> factory;
  private final Set<Integer> crashed = new HashSet<>();
  private Predicate<InFlight> held = m -> false;
  private @Nullable Topology last;
  private long requests;
  private long now;

  /** A message between two nodes. */
  record InFlight(int from, int to, Message message) {}

  Grid(int nodeCount, int owners, Fences fences) {
    this(nodeCount, owners, fences, CONFIG);
  }

  Grid(int nodeCount, int owners, Fences fences, ProtocolConfig config) {
    this.shards = nodeCount;
    this.map = new ShardMap(shards);
    this.factory = id -> new ProtocolNode(id, nodeCount, config, TreeMapStore.FACTORY, fences);
    for (int i = 0; i < nodeCount; i++) {
      addNode();
    }
    install(1, nodeCount, owners);
    settle();
  }

  /** One more node, which is no member yet. */
  int addNode() {
    nodes.add(factory.apply(id(nodes.size())));
    others.add(new ArrayList<>());
    return nodes.size() - 1;
  }

  /** A node is gone, and what is on its way from or to it. */
  void crash(int node) {
    crashed.add(node);
    wire.removeIf(m -> m.from() == node || m.to() == node);
  }

  static NodeId id(int node) {
    return new NodeId(node + 1);
  }

  /** Every node is the primary of its own shard, the next ones back it up. */
  void install(long topology, int members, int owners) {
    List<NodeId> ids = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      ids.add(id(i));
    }
    List<Topology.Placement> placements = new ArrayList<>();
    for (int s = 0; s < shards; s++) {
      List<NodeId> of = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        of.add(ids.get((s + i) % members));
      }
      placements.add(new Topology.Placement(of, List.of()));
    }
    placements.add(new Topology.Placement(ids, List.of()));
    install(new Topology(topology, ids, placements));
  }

  /** The next topology, in which a node is no member; the owners that are left keep their order. */
  void expel(long topology, int node) {
    Topology before = Objects.requireNonNull(last);
    List<NodeId> members = new ArrayList<>(before.members());
    members.remove(id(node));
    List<Topology.Placement> placements = new ArrayList<>();
    for (int shard = 0; shard <= shards; shard++) {
      List<NodeId> owners = new ArrayList<>(before.shard(shard).owners());
      owners.remove(id(node));
      placements.add(new Topology.Placement(owners, List.of()));
    }
    install(new Topology(topology, members, placements));
  }

  void install(Topology topology) {
    last = topology;
    for (int i = 0; i < nodes.size(); i++) {
      if (!crashed.contains(i)) {
        installAt(i, topology);
      }
    }
  }

  void installAt(int node, Topology topology) {
    List<Effect> effects = new ArrayList<>();
    nodes.get(node).onTopology(topology, now, effects);
    take(node, effects);
  }

  /** A kcl in a shard. */
  long kcl(int shard) {
    for (long kcl = ShardMap.TOP_KCL + 1; ; kcl++) {
      if (map.shardOf(kcl) == shard) {
        return kcl;
      }
    }
  }

  CompositeKey key(int shard, String ku) {
    return CompositeKey.of(kcl(shard), bytes(ku));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  void take(int from, List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send && crashed.contains((int) send.to().value() - 1)) {
        continue;
      }
      if (effect instanceof Effect.Send send) {
        wire.add(new InFlight(from, (int) send.to().value() - 1, send.message()));
      } else if (effect instanceof Effect.Answer answer) {
        answers.put(answer.request(), answer);
      } else if (effect instanceof Effect.WakeAt wake) {
        long atMost = now + CONFIG.lockTimeoutNanos();
        Invariant.holds(now <= wake.nanos() && wake.nanos() <= atMost, "%s", wake);
        timers.put(wake.timer(), from);
      } else {
        others.get(from).add(effect);
      }
    }
  }

  /** From now on such messages stay on the wire. */
  void hold(Predicate<InFlight> messages) {
    held = messages;
  }

  /** Nothing is held any more. */
  void letGo() {
    held = m -> false;
    settle();
  }

  /** Delivers everything that is not held, in the order sent, until nothing is under way. */
  void settle() {
    for (int i = 0; i < wire.size(); ) {
      if (held.test(wire.get(i))) {
        i++;
      } else {
        deliver(wire.get(i));
        i = 0;
      }
    }
  }

  /** Delivers the first message that fits; fails where there is none. */
  void deliverFirst(Predicate<InFlight> wanted) {
    for (InFlight m : wire) {
      if (wanted.test(m)) {
        deliver(m);
        return;
      }
    }
    throw new AssertionError("no such message in " + wire);
  }

  void deliver(InFlight m) {
    Invariant.holds(wire.remove(m), "not on the wire: %s", m);
    hand(m);
  }

  /** Gives a message to its receiver, without taking it from the wire. */
  void hand(InFlight m) {
    List<Effect> effects = new ArrayList<>();
    nodes.get(m.to()).onMessage(id(m.from()), m.message(), now, effects);
    take(m.to(), effects);
  }

  /** Lets the timers that are set run out. */
  void timeOut() {
    timeOut(timer -> true);
  }

  /** Lets the lock timers of a node's transactions run out. */
  void timeOutAt(int node, Tx tx) {
    timeOut(timer ->
        timer instanceof Effect.LockTimer lock
            && lock.tid().coordinator().equals(id(node))
            && tx.node == node);
  }

  private void timeOut(Predicate<Effect.Timer> which) {
    now += CONFIG.lockTimeoutNanos();
    for (Map.Entry<Effect.Timer, Integer> e : new LinkedHashMap<>(timers).entrySet()) {
      if (which.test(e.getKey())) {
        timers.remove(e.getKey());
        List<Effect> effects = new ArrayList<>();
        nodes.get(e.getValue()).onTimer(e.getKey(), now, effects);
        take(e.getValue(), effects);
      }
    }
  }

  /** A node's disk is full, or not; others hear of it with the next {@link #tick}. */
  void disk(int node, @Nullable DiskTrouble trouble) {
    List<Effect> effects = new ArrayList<>();
    nodes.get(node).onDisk(trouble, now, effects);
    take(node, effects);
  }

  void tick() {
    for (int i = 0; i < nodes.size(); i++) {
      if (!crashed.contains(i)) {
        List<Effect> effects = new ArrayList<>();
        nodes.get(i).onTick(now, effects);
        take(i, effects);
      }
    }
  }

  Tx begin(int node) {
    return begin(node, VectorClock.ZERO);
  }

  Tx begin(int node, VectorClock token) {
    return new Tx(node, nodes.get(node).begin(token));
  }

  /** Commits writes alone, and delivers everything. */
  Outcome put(int node, CompositeKey key, @Nullable String value) {
    Tx tx = begin(node);
    tx.write(key, value);
    tx.commit();
    settle();
    return tx.outcome();
  }

  /** A transaction of a test. */
  final class Tx {
    final int node;
    final long handle;
    VectorClock clock;
    ShardSet hasRead = ShardSet.EMPTY;
    final List<KeyRead> reads = new ArrayList<>();
    final List<RangeRead> ranges = new ArrayList<>();
    final List<Write> writes = new ArrayList<>();
    String label = "";

    private Tx(int node, Begun begun) {
      this.node = node;
      this.handle = begun.transaction();
      this.clock = begun.clock();
    }

    /** Asks; the answer may need messages to be delivered. */
    long ask(ReadQuery query) {
      long request = ++requests;
      List<Effect> effects = new ArrayList<>();
      nodes.get(node).read(handle, request, List.of(query), true, clock, hasRead, now, effects);
      take(node, effects);
      return request;
    }

    /** Takes the answer, which must have come. */
    ReadAnswer answer(long request) {
      Effect.Answer answer = answers.remove(request);
      Invariant.holds(answer != null, "no answer to %s, %s on the wire", request, wire);
      if (answer == null) {
        throw new AssertionError();
      }
      clock = answer.clock();
      hasRead = hasRead.with(answer.shard());
      return answer.answer();
    }

    ReadAnswer read(ReadQuery query) {
      long request = ask(query);
      settle();
      return answer(request);
    }

    /** Reads a key and remembers it. */
    @Nullable String get(CompositeKey key) {
      ReadAnswer.Got got = (ReadAnswer.Got) read(new ReadQuery.Get(key));
      reads.add(new KeyRead(key, got.seen()));
      return text(got.value());
    }

    /** Scans a kcl from a key on and remembers it. */
    ReadAnswer.Scanned scan(long kcl, String from, @Nullable String to) {
      ReadQuery.Scan query =
          new ReadQuery.Scan(kcl, bytes(from), to == null ? null : bytes(to), false, 100, true);
      ReadAnswer.Scanned scanned = (ReadAnswer.Scanned) read(query);
      List<KeyRead> found = new ArrayList<>();
      for (ReadAnswer.Entry e : scanned.entries()) {
        found.add(new KeyRead(CompositeKey.of(kcl, e.ku()), e.seen()));
      }
      ranges.add(new RangeRead(kcl, query.from(), query.to(), found));
      return scanned;
    }

    void write(CompositeKey key, @Nullable String value) {
      write(key, value, null);
    }

    void write(CompositeKey key, @Nullable String value, @Nullable TxId origin) {
      writes.add(new Write(key, value == null ? null : bytes(value), origin));
    }

    void commit() {
      List<Effect> effects = new ArrayList<>();
      Footprint footprint = new Footprint(reads, ranges, writes);
      nodes.get(node).commit(handle, clock, footprint, label, now, effects);
      take(node, effects);
    }

    /** Ends it without effect. */
    void end() {
      List<Effect> effects = new ArrayList<>();
      nodes.get(node).end(handle, now, effects);
      take(node, effects);
    }

    Outcome commitAndSettle() {
      commit();
      settle();
      return outcome();
    }

    boolean hasEnded() {
      return ended() != null;
    }

    Outcome outcome() {
      Effect.Ended ended = ended();
      if (ended == null) {
        throw new AssertionError("not ended; on the wire: " + wire);
      }
      return ended.outcome();
    }

    Outcome.AbortReason reason() {
      return ((Outcome.Aborted) outcome()).reason();
    }

    Effect.@Nullable Ended ended() {
      Effect.Ended last = null;
      for (Effect effect : others.get(node)) {
        if (effect instanceof Effect.Ended ended && ended.transaction() == handle) {
          last = ended;
        }
      }
      return last;
    }
  }
}
