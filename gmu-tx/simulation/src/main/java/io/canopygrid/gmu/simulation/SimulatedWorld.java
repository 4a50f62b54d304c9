package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a run that all its parts share: virtual time, chance, the nodes, the network and the
 * newest topology. It knows none of the parts. For the run's thread.
 */
final class SimulatedWorld {
  final long seed;
  final SimulationOptions options;
  final SeededRandom random;
  final SeededRandom diskRandom;

  /** The share of steps that a disk takes long to store. */
  final double slowDisks;

  /** The longest time after which a disk is forced. */
  final int forceDelayMax;

  final ReadMix readMix;
  final Counters counters = new Counters();
  final EventQueue events = new EventQueue();
  final Trace trace;
  final ShardMap shards;
  final Network network;
  final Map<NodeId, SimulatedNode> nodes = new TreeMap<>();

  /** The cuts that grids were founded with after power cuts. */
  final MadeCuts cuts = new MadeCuts();

  /** The problems of a run, in words. */
  final List<String> problems = new ArrayList<>();

  /** The number of disks that there ever were. */
  int disks;

  private final long[] kcls;

  /** After this time no new faults begin; set once, before the run. */
  long faultsEnd;

  /** The newest topology, whether or not a node has heard of it. */
  private Topology topology = new Topology(0, List.of(), List.of());

  SimulatedWorld(long seed, SimulationOptions options, boolean traced) {
    this.seed = seed;
    this.options = options;
    this.random = stream(0);
    this.diskRandom = stream(7);
    this.slowDisks = diskRandom.oneOf(0.02, 0.1, 0.4);
    this.forceDelayMax = options.has(SimulatedFault.POWER) ? diskRandom.oneOf(10, 60, 300) : 0;
    this.readMix = new ReadMix(stream(4), stream(5), stream(6), stream(8), options.reads());
    this.trace = new Trace(traced);
    this.shards = new ShardMap(options.shards());
    this.kcls = kcls();
    this.network = new Network(options, stream(1));
  }

  /**
   * The seed's random numbers for one purpose. Each purpose has its own, so that fewer clients or
   * fewer faults leave the rest of a run as it is for as long as possible.
   */
  SeededRandom stream(int purpose) {
    return new SeededRandom(new SeededRandom(seed * 0x10001L + purpose).nextLong());
  }

  // ---- time

  long now() {
    return events.now();
  }

  void after(long delay, Runnable action) {
    events.after(delay, action);
  }

  // ---- membership

  Topology topology() {
    return topology;
  }

  void setTopology(Topology newest) {
    topology = newest;
  }

  /** Whether a shard that was there has no owner any more, and never will. */
  boolean isLost(int shard) {
    return topology.id() > 0 && topology.shard(shard).owners().isEmpty();
  }

  /**
   * Whether a node is a member and has heard of the newest topology. No node answers one that has
   * not, nor one that was expelled.
   */
  boolean knowsNewest(SimulatedNode node) {
    return node.topologyId() == topology.id() && topology.members().contains(node.id);
  }

  SimulatedNode node(NodeId id) {
    SimulatedNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalStateException("no such node: " + id);
    }
    return node;
  }

  // ---- keys

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
}
