package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The membership service: makes topologies and tells them to the members, to each in order; in some
 * runs a member misses one when the next is made already. It hands shards over: at first the new
 * owners are joiners, and when all have said that they are complete they become the owners.
 */
final class Membership {
  private final Simulation grid;
  private final SeededRandom random;
  private final double missed;
  private final Set<Copy> synced = new HashSet<>();
  private Topology topology = new Topology(0, List.of(), List.of());
  private @Nullable List<List<NodeId>> target;

  private record Copy(NodeId node, int shard) {}

  Membership(Simulation grid, SeededRandom random) {
    this.grid = grid;
    this.random = random;
    this.missed = grid.options.has(Fault.SKIP) ? random.oneOf(0, 0.2, 0.7) : 0;
  }

  Topology current() {
    return topology;
  }

  /** Whether no hand-over is under way. */
  boolean isSettled() {
    return target == null;
  }

  void start() {
    List<NodeId> members = new ArrayList<>();
    for (int i = 0; i < grid.options.nodes(); i++) {
      members.add(grid.createNode().id);
    }
    change(members, place(members), List.of());
  }

  // ---- changes

  /** A node joins, and gets its share. */
  void join() {
    List<NodeId> members = new ArrayList<>(topology.members());
    members.add(grid.createNode().id);
    rebalance(members);
  }

  /** Somebody needs a newer topology than one. In some runs, where they change anyway, it waits. */
  void renew(long than) {
    boolean waits = grid.seed % 2 != 0 && grid.options.has(Fault.MOVE);
    if (topology.id() == than && !waits) {
      grid.counters.add("epochs renewed", 1);
      rebalance();
    }
  }

  /** Begins to move the shards to a new placement. */
  void rebalance() {
    rebalance(topology.members());
  }

  private void rebalance(List<NodeId> members) {
    List<List<NodeId>> goal = place(members);
    List<List<NodeId>> joiners = new ArrayList<>();
    for (int s = 0; s < goal.size(); s++) {
      List<NodeId> owners = topology.shard(s).owners();
      joiners.add(goal.get(s).stream().filter(n -> !owners.contains(n)).toList());
    }
    target = goal;
    change(members, owners(), joiners);
    trySwitch();
  }

  /** Nodes are members no more; what they owned is missing an owner, for a while. */
  void expel(List<NodeId> all) {
    List<NodeId> gone = all.stream().filter(topology.members()::contains).toList();
    if (gone.isEmpty()) {
      return;
    }
    target = null;
    List<List<NodeId>> joiners = new ArrayList<>();
    topology.shards().forEach(p -> joiners.add(without(p.learners(), gone)));
    List<List<NodeId>> owners = new ArrayList<>();
    topology.shards().forEach(p -> owners.add(without(p.owners(), gone)));
    change(without(topology.members(), gone), owners, joiners);
    grid.after(random.between(0, 60), this::rebalance);
  }

  /** A node that owns nothing leaves in order. */
  void release(NodeId leaver) {
    List<List<NodeId>> joiners = topology.shards().stream().map(Placement::learners).toList();
    change(without(topology.members(), List.of(leaver)), owners(), joiners);
  }

  void onSynced(NodeId node, Effect.Synced said) {
    if (said.topology() == topology.id()) {
      synced.add(new Copy(node, said.shard()));
      trySwitch();
    }
  }

  private void trySwitch() {
    List<List<NodeId>> goal = target;
    if (goal != null && allSynced()) {
      target = null;
      change(topology.members(), goal, List.of());
    }
  }

  private boolean allSynced() {
    for (int s = 0; s < topology.shards().size(); s++) {
      for (NodeId joiner : topology.shard(s).learners()) {
        if (!synced.contains(new Copy(joiner, s))) {
          return false;
        }
      }
    }
    return true;
  }

  private void change(List<NodeId> members, List<List<NodeId>> owners, List<List<NodeId>> joiners) {
    List<Placement> placements = new ArrayList<>();
    for (int s = 0; s < owners.size(); s++) {
      placements.add(new Placement(owners.get(s), joiners.isEmpty() ? List.of() : joiners.get(s)));
    }
    topology = new Topology(topology.id() + 1, members, placements);
    synced.clear();
    grid.trace.made(grid.now(), topology.id(), topology);
    for (NodeId id : members) {
      SimulatedNode node = grid.node(id);
      if (!node.dead && !node.stale) {
        tell(node, topology);
      }
    }
  }

  private void tell(SimulatedNode node, Topology news) {
    node.lastTopologyAt = Math.max(grid.now() + grid.delay(), node.lastTopologyAt + 1);
    boolean mayMiss = random.chance(missed);
    if (grid.options.has(Fault.DUPLICATE) && news.id() % 4 == 0) {
      grid.after(node.lastTopologyAt - grid.now() + 30, () -> grid.install(node, news));
    }
    grid.after(
        node.lastTopologyAt - grid.now(),
        () -> {
          // Only where the next one is on its way to it.
          boolean misses =
              mayMiss && topology.id() > news.id() && topology.members().contains(node.id);
          if (!misses) {
            grid.install(node, news);
          }
        });
  }

  // ---- placement

  /** Random owners for every shard, and all members for TOP; none that is leaving. */
  private List<List<NodeId>> place(List<NodeId> members) {
    List<NodeId> staying = members.stream().filter(n -> !grid.node(n).leaving).toList();
    List<NodeId> able = staying.isEmpty() ? members : staying;
    List<List<NodeId>> placed = new ArrayList<>();
    for (int s = 0; s < grid.options.shards(); s++) {
      List<NodeId> owners = random.sample(able, Math.min(grid.options.owners(), able.size()));
      placed.add(isLost(s) ? List.of() : owners);
    }
    placed.add(random.sample(able, able.size()));
    return placed;
  }

  private List<List<NodeId>> owners() {
    return topology.shards().stream().map(Placement::owners).toList();
  }

  private static List<NodeId> without(List<NodeId> nodes, List<NodeId> gone) {
    return nodes.stream().filter(n -> !gone.contains(n)).toList();
  }

  // ---- recovery

  /** Whether a shard that was there has no owner any more, and never will. */
  boolean isLost(int shard) {
    return topology.id() > 0 && topology.shard(shard).owners().isEmpty();
  }

  /** Whether every shard has its owners, and every member has completed the flush. */
  boolean isRecovered() {
    if (target != null) {
      return false;
    }
    int enough = Math.min(grid.options.owners(), topology.members().size());
    for (int s = 0; s < topology.shards().size(); s++) {
      Placement placement = topology.shard(s);
      if (!placement.learners().isEmpty() || (placement.owners().size() < enough && !isLost(s))) {
        return false;
      }
    }
    for (NodeId member : topology.members()) {
      ProtocolStatus status = grid.node(member).protocol.status();
      if (status.topology() != topology.id() || !status.flushDone()) {
        return false;
      }
    }
    return true;
  }

  boolean isJoining() {
    return topology.shards().stream().anyMatch(p -> !p.learners().isEmpty());
  }

  boolean owns(NodeId node) {
    return topology.shards().stream().anyMatch(p -> p.owners().contains(node));
  }
}
