package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.recovery.RecoveryDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The membership service: makes topologies and tells them to the members, to each in order; in some
 * runs a member misses one when the next is made already. It hands shards over: at first the new
 * owners are learners, and when all have said that they are complete they become the owners.
 */
final class Membership implements HandOvers {
  private final SimulatedWorld world;
  private final NodeSteps steps;
  private final SeededRandom random;
  private final double missed;
  private final Set<Copy> synced = new HashSet<>();
  private @Nullable List<List<NodeId>> target;

  private final SimulatedLosses lostDisks;

  /** The topologies that count beside the present one until all of its members have it. */
  private final List<Topology> before = new ArrayList<>();

  /** Whether all nodes have stopped, and have not begun again. */
  private boolean down;

  private record Copy(NodeId node, int shard) {}

  Membership(SimulatedWorld world, NodeSteps steps, SeededRandom random) {
    this.world = world;
    this.steps = steps;
    this.random = random;
    this.lostDisks = new SimulatedLosses(world);
    this.missed = world.options.has(SimulatedFault.SKIP) ? random.oneOf(0, 0.2, 0.7) : 0;
  }

  /** Whether no hand-over is under way. */
  boolean isSettled() {
    return target == null;
  }

  void start() {
    List<NodeId> members = new ArrayList<>();
    for (int i = 0; i < world.options.nodes(); i++) {
      SimulatedNode node = steps.create();
      node.founding = 1;
      members.add(node.id);
    }
    change(members, place(members), List.of());
  }

  // ---- all nodes stop

  boolean isDown() {
    return down;
  }

  /**
   * Whether the disks of all nodes that began the grid, and live, know that. A real grid begins
   * with one node: it is there once that node's disk says so.
   */
  boolean isStored() {
    return !down
        && world.options.hasDisks()
        && world.nodes.values().stream()
            .filter(node -> !node.dead && node.id.value() <= world.options.nodes())
            .allMatch(node -> node.onDisk().recovered().topology() != null);
  }

  /**
   * All nodes die at once.
   *
   * @param powerCut the share of them at which the power fails
   * @return those that have died
   */
  List<SimulatedNode> stopAll(double powerCut) {
    down = true;
    target = null;
    List<SimulatedNode> there = new ArrayList<>();
    for (SimulatedNode node : List.copyOf(world.nodes.values())) {
      if (!node.dead) {
        there.add(node);
        SimulatedDisk disk = Invariant.present(node.disk, "dies with its disk, and has none");
        new DiskCheck(world).check(node);
        disk.die(random.below(disk.unwritten() + 1));
        steps.kill(node);
      }
    }
    Map<DiskId, SimulatedDisk> disks = new TreeMap<>();
    world.nodes.values().forEach(node -> disks.put(node.onDisk().id, node.onDisk()));
    for (SimulatedDisk disk : disks.values()) {
      if (powerCut > 0 && world.diskRandom.chance(powerCut)) {
        disk.losePower(world.diskRandom);
      }
    }
    return there;
  }

  /**
   * New nodes begin with the disks that there are, and found the grid: most of those of the nodes
   * that have died just now, and some of those that died or left before. Where that does not
   * suffice, all disks come back that are not lost, also those that were to be lost; unless there
   * is an operator, who says that these are.
   *
   * @param died the nodes that have died just now
   * @param without those of them whose disks are lost
   */
  void restart(List<SimulatedNode> died, List<SimulatedNode> without) {
    Map<DiskId, SimulatedNode> all = new HashMap<>();
    for (SimulatedNode node : world.nodes.values()) {
      if (!lostDisks.contains(node.onDisk().id)) {
        all.put(node.onDisk().id, node);
      }
    }
    Map<DiskId, SimulatedNode> there = new TreeMap<>(all);
    there.values().removeIf(node -> world.diskRandom.chance(died.contains(node) ? 0.2 : 0.5));
    without.forEach(node -> there.remove(node.onDisk().id));
    lostDisks.keepPromise(there);
    RecoveryDecision.Answer answer = decision(there);
    if (answer instanceof RecoveryDecision.Founded) {
      without.forEach(node -> lostDisks.add(node.onDisk().id));
    } else {
      world.counters.add("disks awaited", all.size() - there.size());
      there.putAll(all);
      if (world.options.has(SimulatedFault.WITHOUT)) {
        without.forEach(node -> there.remove(node.onDisk().id));
        lostDisks.say(without, there, () -> decision(there));
      }
      answer = decision(there);
    }
    if (!(answer instanceof RecoveryDecision.Founded founded)) {
      world.problems.add("the grid cannot be founded: " + answer);
      return;
    }
    there.values().forEach(node -> node.onDisk().hear(SimulatedLosses.words(there.values())));
    long topology = world.topology().id() + 1;
    VectorClock kept = founded.cut();
    Cut cut = kept == null ? null : new Cut(topology, kept);
    if (cut != null) {
      world.counters.add("cuts", 1);
      ProtocolNode any = there.values().iterator().next().protocol;
      world.cuts.begin(cut, any.epochStart(topology), world.now());
    } else {
      world.cuts.begin(topology);
    }
    GridFounding founding = new GridFounding(topology, founded.over(), founded.seen(), cut);
    Map<DiskId, NodeId> members = new LinkedHashMap<>();
    for (DiskId disk : founded.members()) {
      SimulatedNode last = Invariant.present(there.get(disk), "a disk that is not there");
      members.put(disk, steps.restart(last, founding).id);
    }
    down = false;
    before.clear();
    before.addAll(founded.over());
    change(
        List.copyOf(members.values()),
        founded.owners().stream().map(of -> of.stream().map(members::get).toList()).toList(),
        List.of());
    world.after(random.between(0, 60), this::rebalance);
  }

  private RecoveryDecision.@Nullable Answer decision(Map<DiskId, SimulatedNode> there) {
    return RecoveryDecision.of(
        there.values().stream().map(node -> node.onDisk().standing()).toList(),
        steps.failuresAtOnce());
  }

  // ---- changes

  /** A node joins, and gets its share. */
  void join() {
    List<NodeId> members = new ArrayList<>(world.topology().members());
    SimulatedNode before = isStored() ? withDisk() : null;
    members.add((before == null ? steps.create() : steps.rejoin(before)).id);
    rebalance(members);
  }

  /** A node joins with the disk of one that is gone, if no other has it and it has data. */
  void comeBack(SimulatedNode gone) {
    boolean isLast =
        world.nodes.values().stream()
            .filter(node -> node.onDisk() == gone.onDisk())
            .allMatch(node -> node == gone);
    if (isStored()
        && isLast
        && gone.dead
        && !world.topology().members().contains(gone.id)
        && !lostDisks.contains(gone.onDisk().id)
        && gone.onDisk().recovered().topology() != null) {
      List<NodeId> members = new ArrayList<>(world.topology().members());
      members.add(steps.rejoin(gone).id);
      rebalance(members);
    }
  }

  /**
   * The last node with a disk that has data and that no node has; null: a new disk is taken. A disk
   * of a member stays away: where it joins again before the others go on without that member, the
   * grid may have to wait for an operator (recovery.md, An operator's word).
   */
  private @Nullable SimulatedNode withDisk() {
    Map<DiskId, SimulatedNode> last = new TreeMap<>();
    world.nodes.values().forEach(node -> last.put(node.onDisk().id, node));
    last.values()
        .removeIf(node ->
            !node.dead
                || world.topology().members().contains(node.id)
                || lostDisks.contains(node.onDisk().id)
                || node.onDisk().recovered().topology() == null);
    return last.isEmpty() || world.diskRandom.chance(0.5)
        ? null
        : world.diskRandom.sample(List.copyOf(last.values()), 1).get(0);
  }

  /**
   * A new node is the first owner of some shards from now on, and has nothing. It must stop, and so
   * be as if it had crashed.
   */
  NodeId joinHastily() {
    SimulatedNode node = steps.create();
    node.hasty = true;
    List<NodeId> members = new ArrayList<>(world.topology().members());
    members.add(node.id);
    List<List<NodeId>> owners = new ArrayList<>();
    for (List<NodeId> of : owners()) {
      List<NodeId> next = new ArrayList<>(of);
      if (!of.isEmpty() && (owners.isEmpty() || random.chance(0.5))) {
        next.add(0, node.id);
      }
      owners.add(next);
    }
    change(members, owners, List.of());
    return node.id;
  }

  /** In some runs the service waits, as topologies change there anyway. */
  @Override
  public void renew(long than) {
    boolean waits = world.seed % 2 != 0 && world.options.has(SimulatedFault.MOVE);
    if (world.topology().id() == than && !waits && !down) {
      world.counters.add("epochs renewed", 1);
      rebalance();
    }
  }

  /** Begins to move the shards to a new placement. */
  void rebalance() {
    rebalance(world.topology().members());
  }

  private void rebalance(List<NodeId> members) {
    if (down) {
      return;
    }
    List<List<NodeId>> goal = place(members);
    List<List<NodeId>> learners = new ArrayList<>();
    for (int s = 0; s < goal.size(); s++) {
      List<NodeId> owners = world.topology().shard(s).owners();
      learners.add(goal.get(s).stream().filter(n -> !owners.contains(n)).toList());
    }
    target = goal;
    change(members, owners(), learners);
    trySwitch();
  }

  /** Nodes are members no more; what they owned is missing an owner, for a while. */
  void expel(List<NodeId> all) {
    if (down) {
      return;
    }
    List<NodeId> gone = all.stream().filter(world.topology().members()::contains).toList();
    if (gone.isEmpty()) {
      return;
    }
    if (isStored() && !goesOnWithout(gone)) {
      foundAnew();
      return;
    }
    target = null;
    List<List<NodeId>> learners = new ArrayList<>();
    world.topology().shards().forEach(p -> learners.add(without(p.learners(), gone)));
    List<List<NodeId>> owners = new ArrayList<>();
    world.topology().shards().forEach(p -> owners.add(without(p.owners(), gone)));
    change(without(world.topology().members(), gone), owners, learners);
    world.after(random.between(0, 60), this::rebalance);
  }

  /**
   * Whether those that are left may go on: where nodes have disks, the others could else found a
   * grid without them.
   */
  private boolean goesOnWithout(List<NodeId> gone) {
    Topology topology = world.topology();
    if (topology.members().stream().allMatch(this::hasFlushed)) {
      before.clear();
    }
    Set<NodeId> left = Set.copyOf(without(topology.shard(topology.top()).owners(), gone));
    return Stream.concat(before.stream(), Stream.of(topology))
        .allMatch(each -> RecoveryDecision.mayGoOn(each, left, steps.failuresAtOnce()));
  }

  private boolean hasFlushed(NodeId member) {
    ProtocolStatus status = world.node(member).protocol.status();
    return status.topology() == world.topology().id() && status.flushDone();
  }

  /** The nodes that are left stop, and the grid is founded with all disks that there are. */
  private void foundAnew() {
    world.counters.add("founded anew", 1);
    List<SimulatedNode> died = stopAll(0);
    world.after(random.between(5, 60), () -> restart(died, List.of()));
  }

  /**
   * A node that owns nothing but TOP leaves in order.
   *
   * @return false: too few would be left
   */
  boolean release(NodeId leaver) {
    if (isStored() && !goesOnWithout(List.of(leaver))) {
      return false;
    }
    List<List<NodeId>> learners =
        world.topology().shards().stream().map(Placement::learners).toList();
    List<List<NodeId>> owners = new ArrayList<>();
    owners().forEach(of -> owners.add(without(of, List.of(leaver))));
    change(without(world.topology().members(), List.of(leaver)), owners, learners);
    return true;
  }

  @Override
  public void onSynced(NodeId node, Effect.Synced said) {
    if (said.topology() == world.topology().id()) {
      synced.add(new Copy(node, said.shard()));
      trySwitch();
    }
  }

  private void trySwitch() {
    List<List<NodeId>> goal = target;
    if (goal != null && allSynced()) {
      target = null;
      change(world.topology().members(), goal, List.of());
    }
  }

  private boolean allSynced() {
    for (int s = 0; s < world.topology().shards().size(); s++) {
      for (NodeId learner : world.topology().shard(s).learners()) {
        if (!synced.contains(new Copy(learner, s))) {
          return false;
        }
      }
    }
    return true;
  }

  private void change(
      List<NodeId> members, List<List<NodeId>> owners, List<List<NodeId>> learners) {
    List<Placement> placements = new ArrayList<>();
    for (int s = 0; s < owners.size(); s++) {
      placements.add(
          new Placement(owners.get(s), learners.isEmpty() ? List.of() : learners.get(s)));
    }
    if (world.topology().id() > 0) {
      before.add(world.topology());
    }
    Topology topology = new Topology(world.topology().id() + 1, members, placements);
    world.setTopology(topology);
    synced.clear();
    world.trace.made(world.now(), topology.id(), topology);
    for (NodeId id : members) {
      SimulatedNode node = world.node(id);
      if (!node.dead && !node.stale) {
        tell(node, topology);
      }
    }
  }

  private void tell(SimulatedNode node, Topology news) {
    node.lastTopologyAt = Math.max(world.now() + world.network.delay(), node.lastTopologyAt + 1);
    boolean mayMiss = random.chance(missed);
    if (world.options.has(SimulatedFault.DUPLICATE) && news.id() % 4 == 0) {
      world.after(node.lastTopologyAt - world.now() + 30, () -> steps.install(node, news));
    }
    world.after(
        node.lastTopologyAt - world.now(),
        () -> {
          // Only where the next one is on its way to it, and never the one that founds the grid.
          boolean misses =
              mayMiss
                  && news.id() != node.founding
                  && world.topology().id() > news.id()
                  && world.topology().members().contains(node.id);
          if (!misses) {
            steps.install(node, news);
          }
        });
  }

  // ---- placement

  /**
   * Random owners for every shard, and all members for TOP; none that is leaving, but where nodes
   * have disks: there the owners of TOP say who may go on.
   */
  private List<List<NodeId>> place(List<NodeId> members) {
    List<NodeId> staying = members.stream().filter(n -> !world.node(n).leaving).toList();
    List<NodeId> able = staying.isEmpty() ? members : staying;
    List<List<NodeId>> placed = new ArrayList<>();
    for (int s = 0; s < world.options.shards(); s++) {
      List<NodeId> owners = random.sample(able, Math.min(world.options.owners(), able.size()));
      placed.add(world.isLost(s) ? List.of() : owners);
    }
    List<NodeId> top = world.options.hasDisks() ? members : able;
    placed.add(random.sample(top, top.size()));
    return placed;
  }

  private List<List<NodeId>> owners() {
    return world.topology().shards().stream().map(Placement::owners).toList();
  }

  private static List<NodeId> without(List<NodeId> nodes, List<NodeId> gone) {
    return nodes.stream().filter(n -> !gone.contains(n)).toList();
  }

  // ---- recovery

  /** Whether every shard has its owners, and every member has completed the flush. */
  boolean isRecovered() {
    if (target != null || down) {
      return false;
    }
    int enough = Math.min(world.options.owners(), world.topology().members().size());
    for (int s = 0; s < world.topology().shards().size(); s++) {
      Placement placement = world.topology().shard(s);
      if (!placement.learners().isEmpty()
          || (placement.owners().size() < enough && !world.isLost(s))) {
        return false;
      }
    }
    return world.topology().members().stream().allMatch(this::hasFlushed);
  }

  boolean isJoining() {
    return world.topology().shards().stream().anyMatch(p -> !p.learners().isEmpty());
  }

  boolean owns(NodeId node) {
    List<Placement> shards = world.topology().shards();
    int count = world.options.hasDisks() ? shards.size() - 1 : shards.size();
    return shards.stream().limit(count).anyMatch(p -> p.owners().contains(node));
  }
}
