package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.simulation.ObservedTransaction.Kind;
import java.util.ArrayList;
import java.util.List;

/** The transactions of a run: few keys and shards, so that they get in each other's way. */
final class TransactionMix {
  private final SimulatedWorld world;
  private final int keys;
  private final int hotShards;
  private final double readOnly;
  private final double local;

  /** One step of a transaction. */
  sealed interface Operation {
    record Get(CompositeKey key) implements Operation {}

    /** The keys numbered from 0 to {@code last} of a shard. */
    record Scan(int shard, int last) implements Operation {}

    record Put(CompositeKey key) implements Operation {}

    record Delete(CompositeKey key) implements Operation {}

    /** Finds out the newest state of a shard. */
    record Fix(int shard) implements Operation {}
  }

  TransactionMix(SimulatedWorld world) {
    this.world = world;
    SeededRandom random = world.random;
    this.keys = random.oneOf(1, 2, 3, 5);
    this.hotShards = Math.min(world.options.shards() + 1, random.oneOf(2, 3, 9));
    this.readOnly = random.oneOf(0.2, 0.4, 0.6);
    this.local = random.oneOf(0, 0.3, 0.8);
  }

  /** The number of keys of a shard. */
  int keys() {
    return keys;
  }

  /**
   * The kind of the next transaction.
   *
   * @param serializable whether its session has those that only read validated
   */
  Kind kind(SeededRandom random, boolean serializable) {
    if (random.chance(readOnly)) {
      return serializable ? Kind.SERIALIZABLE : Kind.READ_ONLY;
    }
    return random.chance(0.1) ? Kind.SERIALIZABLE : Kind.UPDATE;
  }

  /** The operations of a transaction of this kind at a node. */
  List<Operation> operations(SeededRandom random, Kind kind, NodeId node) {
    List<Integer> shards = shards(random, node);
    List<Operation> operations = new ArrayList<>();
    boolean writes = false;
    for (int i = random.oneOf(1, 2, 2, 3, 3, 4, 6); i > 0; i--) {
      int shard = random.oneOf(shards);
      CompositeKey key = world.key(shard, random.below(keys));
      int what = kind == Kind.UPDATE ? random.below(8) : random.chance(0.7) ? 0 : 2;
      switch (what) {
        case 0, 1 -> operations.add(new Operation.Get(key));
        case 2 -> operations.add(new Operation.Scan(shard, random.below(keys)));
        case 3, 4 -> operations.add(new Operation.Put(key));
        case 5, 6 -> {
          operations.add(new Operation.Get(key));
          operations.add(new Operation.Put(key));
        }
        default -> operations.add(new Operation.Delete(key));
      }
      writes |= what > 2;
    }
    if (kind == Kind.UPDATE && !writes) {
      operations.add(new Operation.Put(world.key(random.oneOf(shards), random.below(keys))));
    }
    return operations;
  }

  /** The last shards are in use, TOP among them; or those whose primary the node is. */
  private List<Integer> shards(SeededRandom random, NodeId node) {
    Topology topology = world.topology();
    List<Integer> shards = new ArrayList<>();
    if (random.chance(local)) {
      for (int s = 0; s < topology.shards().size(); s++) {
        List<NodeId> owners = topology.shard(s).owners();
        if (!owners.isEmpty() && owners.get(0).equals(node)) {
          shards.add(s);
        }
      }
    }
    if (shards.isEmpty()) {
      for (int s = topology.shards().size() - hotShards; s < topology.shards().size(); s++) {
        shards.add(s);
      }
    }
    return shards;
  }
}
