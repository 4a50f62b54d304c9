package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A grid of real protocol nodes in virtual nanoseconds, in which work takes time: each node has a
 * few cores and one lock for its protocol, with queues in front of them, and the network is as fast
 * as told. Nothing fails. The same seed gives the same run. For one thread; what runs on it may
 * block.
 */
public final class TimedGrid {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final TimedWorld world;
  private final List<TimedNode> nodes = new ArrayList<>();

  /**
   * A grid at rest.
   *
   * @param size nodes, at least 1
   * @param owners of each shard
   * @param shards besides TOP
   */
  public TimedGrid(
      int size,
      int owners,
      int shards,
      TimedCosts costs,
      TimedWire wire,
      OrderedStore.Factory stores,
      Fences fences,
      long seed) {
    this.world = new TimedWorld(seed, shards, costs, wire);
    List<NodeId> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      NodeId id = new NodeId(i + 1L);
      members.add(id);
      nodes.add(new TimedNode(world, nodes, id, ProtocolConfig.DEFAULT, stores, fences));
    }
    Topology topology = topology(members, Math.min(owners, size));
    nodes.forEach(node -> node.install(topology));
    world.events.after(TICK_NANOS, this::tick);
  }

  private Topology topology(List<NodeId> members, int owners) {
    List<Topology.Placement> placements = new ArrayList<>();
    for (int shard = 0; shard < world.shards.shards(); shard++) {
      List<NodeId> of = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        of.add(members.get((shard + i) % members.size()));
      }
      placements.add(new Topology.Placement(of, List.of()));
    }
    placements.add(new Topology.Placement(members, List.of()));
    return new Topology(1, members, placements);
  }

  /** From now on work takes so long. */
  public void setCosts(TimedCosts next) {
    world.costs = next;
  }

  /** Blocks the calling client. */
  public void sleep(long nanos) {
    world.tasks.sleep(nanos);
  }

  /** All nodes. */
  public List<GmuNode> nodes() {
    return List.copyOf(nodes);
  }

  /** Nanoseconds since the beginning. */
  public long now() {
    return world.now();
  }

  /** Starts a client. The run ends when all clients have. */
  public void client(String name, Runnable body) {
    world.clients++;
    world.tasks.spawn(
        name,
        1,
        () -> {
          try {
            body.run();
          } finally {
            world.clients--;
          }
        });
  }

  /** Processor time of the client's node, which the client waits for. */
  public void work(GmuNode node, long nanos) {
    at(node).work(nanos);
  }

  /** The calling client, which is outside of the grid, waits until its message is at a node. */
  public void travelTo(GmuNode node) {
    sleep(world.costs.latency());
    work(node, world.costs.receive());
  }

  /** The calling client waits until a node's answer is there. */
  public void travelFrom(GmuNode node) {
    work(node, world.costs.send());
    sleep(world.costs.latency());
  }

  /** Processor time of a node's cores so far, its queue left out. */
  public long busyNanos(GmuNode node) {
    return at(node).cores().busy();
  }

  /** For how long the lock of a node's protocol was held so far. */
  public long lockedNanos(GmuNode node) {
    return at(node).protocolLock().busy();
  }

  private TimedNode at(GmuNode node) {
    return nodes.get((int) node.self().value() - 1);
  }

  /** Runs until all clients have ended. */
  public void run() {
    world.tasks.runAll();
  }

  private void tick() {
    nodes.forEach(TimedNode::tick);
    world.events.after(TICK_NANOS, this::tick);
  }
}
