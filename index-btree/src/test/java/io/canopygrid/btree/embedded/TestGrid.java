package io.canopygrid.btree.embedded;

import io.canopygrid.Index;
import io.canopygrid.btree.balance.SplitLimits;
import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.spi.OrderedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A grid in this JVM, one handle for each node. */
final class TestGrid implements AutoCloseable {
  /** Messages are sent once: the network loses none, and those sent again would count as well. */
  static final ProtocolConfig SENT_ONCE =
      ProtocolConfig.DEFAULT.withResendNanos(TimeUnit.MINUTES.toNanos(1));

  private final List<GmuNode> nodes = new ArrayList<>();
  private final List<EmbeddedCanopy> handles = new ArrayList<>();
  private final @Nullable InProcessNetwork network;

  private TestGrid(@Nullable InProcessNetwork network) {
    this.network = network;
  }

  /** One node, one handle. */
  static TestGrid standalone(int arity) {
    TestGrid grid = new TestGrid(null);
    grid.add(
        StandaloneNode.start(
            new ShardMap(8), NodeSettings.DEFAULT, stores(arity), new SubtreeFences()));
    return grid;
  }

  /** Some nodes in one network. */
  static TestGrid network(int size, int owners, int shards, int arity) {
    return network(size, owners, shards, arity, ProtocolConfig.DEFAULT);
  }

  /** The same with other limits of the protocol. */
  static TestGrid network(int size, int owners, int shards, int arity, ProtocolConfig protocol) {
    NodeSettings usual = NodeSettings.DEFAULT;
    InProcessNetwork network =
        InProcessNetwork.start(
            size,
            owners,
            new ShardMap(shards),
            new NodeSettings(protocol, usual.tickMillis(), usual.drainMillis()),
            stores(arity),
            new SubtreeFences());
    TestGrid grid = new TestGrid(network);
    for (int i = 0; i < size; i++) {
      grid.add(network.node(i));
    }
    return grid;
  }

  /**
   * Installs the next topology at all nodes: each shard gets a learner more, if there is a node.
   */
  void addLearners() {
    InProcessNetwork nodes = Objects.requireNonNull(network);
    Topology before = nodes.node(0).topology();
    List<Topology.Placement> shards = new ArrayList<>();
    for (int shard = 0; shard <= before.top(); shard++) {
      List<NodeId> owners = before.shard(shard).owners();
      List<NodeId> others = new ArrayList<>(before.members());
      others.removeAll(owners);
      int learner = others.isEmpty() ? 0 : shard % others.size();
      shards.add(
          new Topology.Placement(
              owners, others.isEmpty() ? List.of() : List.of(others.get(learner))));
    }
    Topology next = new Topology(before.id() + 1, before.members(), shards);
    for (int i = 0; i < size(); i++) {
      nodes.node(i).install(next);
    }
  }

  private static OrderedStore.Factory stores(int arity) {
    return BPlusTree.factory(arity);
  }

  private void add(GmuNode node) {
    nodes.add(node);
    handles.add(EmbeddedCanopy.of(node, SplitLimits.DEFAULT));
  }

  /** One more handle on a node, through something that can go wrong. */
  EmbeddedCanopy faulty(FaultyNode node) {
    EmbeddedCanopy handle = EmbeddedCanopy.of(node, SplitLimits.DEFAULT);
    handles.add(handle);
    nodes.add(node);
    return handle;
  }

  GmuNode node(int i) {
    return nodes.get(i);
  }

  EmbeddedCanopy handle(int i) {
    return handles.get(i);
  }

  /** Tells the other nodes that a node has left, as far as calls of functions go. */
  void loseCallsOf(int i) {
    Objects.requireNonNull(network).loseCallsOf(i);
  }

  int size() {
    return handles.size();
  }

  /** The subtree of a key, as a node's crown has it. */
  long subtreeOf(int i, Index<Long, ?> index, long key) {
    EmbeddedCanopy at = handle(i);
    int number = at.numberOf(at.index(index.name(), index.keyCodec(), index.valueCodec()));
    return Crown.subtreeOf(node(i).top(), number, index.keyCodec().encode(key));
  }

  /** The node that is the primary of a key. */
  int primaryOf(Index<Long, ?> index, long key) {
    GmuNode any = node(0);
    int shard = any.shardMap().shardOf(subtreeOf(0, index, key));
    NodeId primary = any.topology().shard(shard).owners().get(0);
    for (int i = 0; i < size(); i++) {
      if (node(i).self().equals(primary)) {
        return i;
      }
    }
    throw new AssertionError("no node " + primary);
  }

  /** The least key from {@code first} on whose primary is this node. */
  long keyAt(int i, Index<Long, ?> index, long first) {
    for (long key = first; key < first + 1_000_000; key++) {
      if (primaryOf(index, key) == i) {
        return key;
      }
    }
    throw new AssertionError("node " + i + " has no key from " + first + " on");
  }

  /** Prepares that were refused, on all nodes, splits included. */
  long refusedPrepares() {
    return nodes.stream().mapToLong(node -> node.counters().aborts()).sum();
  }

  /** Waits until no split is under way and every node's crown is the same. */
  void awaitQuiet() {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    // A look at one node may come before another node gives it a split: a second look finds it.
    for (int quietLooks = isQuiet() ? 1 : 0; quietLooks < 2; ) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new AssertionError("splits go on");
      }
      LockSupport.parkNanos(1_000_000);
      quietLooks = isQuiet() ? quietLooks + 1 : 0;
    }
  }

  private boolean isQuiet() {
    for (int i = 0; i < size(); i++) {
      if (handle(i).splitsUnderWay() > 0 || !crownOf(i).equals(crownOf(0))) {
        return false;
      }
    }
    return true;
  }

  private List<String> crownOf(int i) {
    List<String> crown = new ArrayList<>();
    Crown.forEach(node(i).top(), e -> crown.add(Keys.text(e.separator()) + "/" + e.kcl()));
    return crown;
  }

  @Override
  public void close() {
    handles.forEach(EmbeddedCanopy::close);
    if (network != null) {
      network.close();
    }
  }
}
