package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import java.util.ArrayList;
import java.util.List;

/** The changes of membership of a run, planned ones and failures. */
final class FaultPlan implements FaultRounds {
  private static final int MEMBERS_MAX = 6;

  /** When the last fault begins at the latest. */
  private static final int END = 900;

  private final SimulatedWorld world;
  private final NodeSteps steps;
  private final Membership membership;
  private final SimulatedLoad load;
  private final SeededRandom random;
  private final List<SimulatedFault> kinds = new ArrayList<>();

  /** The topology of the last failure that is not known to be repaired; -1: there is none. */
  private long failedIn = -1;

  /** The number of parts of faults that are still to come. */
  private int toCome;

  FaultPlan(
      SimulatedWorld world,
      NodeSteps steps,
      Membership membership,
      SimulatedLoad load,
      SeededRandom random) {
    this.world = world;
    this.steps = steps;
    this.membership = membership;
    this.load = load;
    this.random = random;
    for (SimulatedFault fault : world.options.faults()) {
      for (int i = weight(fault); i > 0; i--) {
        kinds.add(fault);
      }
    }
    world.faultsEnd = kinds.isEmpty() ? 0 : END;
  }

  /** The frequency of a fault, compared to others; 0: it is none that happens at a time. */
  private static int weight(SimulatedFault fault) {
    return switch (fault) {
      case JOIN, LEAVE, CHURN -> 1;
      case MOVE, STALE, PAUSE, PARTITION, LOSS, TWO_FAILURES, SHARD_LOSS, HASTY_JOIN, KILL_ALL -> 2;
      case CRASH, RESTART -> 3;
      case GIVE_UP,
          REORDER,
          DELAY,
          DUPLICATE,
          SKIP,
          FOREIGN_CLOCKS,
          SKEW,
          LATE_REPORTS,
          DISK_LOSS,
          WITHOUT,
          POWER,
          EVICT,
          OPEN_LATE,
          LONG_READERS ->
          0;
    };
  }

  /** A part of a fault that is still to come. */
  private void later(long delay, Runnable part) {
    toCome++;
    world.after(
        delay,
        () -> {
          toCome--;
          part.run();
        });
  }

  /** Whether nothing more will happen: a fault can be put off, and has its end later. */
  boolean isOver() {
    return world.now() > world.faultsEnd && toCome == 0;
  }

  /** Plans some faults, from now on. */
  @Override
  public long plan() {
    long end = world.now() + END;
    if (!kinds.isEmpty()) {
      world.faultsEnd = end;
      int count = random.between(2, 8);
      for (int i = 0; i < count; i++) {
        SimulatedFault fault = random.oneOf(kinds);
        later(random.between(15, END), () -> happen(fault));
      }
    }
    return end;
  }

  private void happen(SimulatedFault fault) {
    Topology topology = world.topology();
    List<SimulatedNode> steady = new ArrayList<>();
    for (NodeId member : topology.members()) {
      if (world.node(member).isSteady()) {
        steady.add(world.node(member));
      }
    }
    if (membership.isDown()) {
      later(random.between(5, 50), () -> happen(fault));
      return;
    }
    switch (fault) {
      case KILL_ALL -> killAll();
      case JOIN -> {
        if (topology.members().size() < MEMBERS_MAX) {
          world.counters.add("joins", 1);
          membership.join();
        }
      }
      case LEAVE -> {
        if (steady.size() > 3) {
          world.counters.add("leaves", 1);
          leave(random.oneOf(steady));
        }
      }
      case MOVE -> {
        world.counters.add("moves", 1);
        membership.rebalance();
      }
      case CHURN -> churn();
      case PAUSE -> {
        SimulatedNode node = random.oneOf(steady);
        if (random.chance(0.5)) {
          pause(node);
        } else {
          fail(fault, steady, 1);
        }
      }
      case LOSS -> {
        List<SimulatedNode> ends = random.sample(steady, Math.min(2, steady.size()));
        if (ends.size() == 2) {
          long until = world.now() + random.between(20, 200);
          world.network.cut(ends.get(0).id, ends.get(1).id, until);
        }
      }
      case CRASH, STALE -> fail(fault, steady, 1);
      case RESTART -> {
        if (membership.isStored()) {
          fail(fault, steady, 1);
        }
      }
      case PARTITION -> fail(fault, steady, random.between(1, steps.failuresAtOnce()));
      case SHARD_LOSS -> loseShard();
      case HASTY_JOIN -> joinHastily();
      case TWO_FAILURES -> {
        if (steps.failuresAtOnce() > 1) {
          fail(fault, steady, 2);
        }
      }
      default -> throw new IllegalStateException("does not happen at a time: " + fault);
    }
  }

  /** All nodes die, also those that are no members any more; those that were come back. */
  private void killAll() {
    if (!membership.isStored()) {
      later(random.between(5, 50), () -> happen(SimulatedFault.KILL_ALL));
      return;
    }
    world.counters.add("failures " + SimulatedFault.KILL_ALL.label(), 1);
    boolean mayLose = isRepaired() && membership.isRecovered();
    int members = world.topology().members().size();
    failedIn = world.topology().id();
    List<SimulatedNode> died = membership.stopAll(powerCut());
    List<SimulatedNode> without = List.of();
    int lost = Math.min(steps.failuresAtOnce(), world.options.owners() - 1);
    if (world.options.has(SimulatedFault.DISK_LOSS)
        && mayLose
        && 2 * (members - lost) > members
        && random.chance(0.5)) {
      world.counters.add("disks lost", lost);
      without = random.sample(died, lost);
    } else if (world.options.has(SimulatedFault.WITHOUT)
        && mayLose
        && lost < members
        && random.chance(0.5)) {
      without = random.sample(died, lost);
    }
    List<SimulatedNode> gone = without;
    int rest = random.between(5, 60);
    later(rest, () -> membership.restart(died, gone));
    if (world.options.has(SimulatedFault.POWER) && world.diskRandom.chance(0.3)) {
      // Some have installed the founding topology then, and others have not.
      later(rest + world.diskRandom.between(1, 12), () -> happen(SimulatedFault.KILL_ALL));
    }
  }

  /** The share of nodes at which the power fails, where all die. */
  private double powerCut() {
    return world.options.has(SimulatedFault.POWER) ? world.diskRandom.oneOf(0, 0.5, 1, 1) : 0;
  }

  private void leave(SimulatedNode node) {
    node.leaving = true;
    membership.rebalance();
    later(30, () -> drain(node));
  }

  /** A leaving node goes when it owns nothing, runs nothing, and all that it knows is done. */
  private void drain(SimulatedNode node) {
    if (node.dead || !world.topology().members().contains(node.id)) {
      return;
    }
    ProtocolStatus status = node.protocol.status();
    boolean idle = !load.isBusyAt(node);
    if (membership.isSettled()
        && status.topology() == world.topology().id()
        && ownsNothing(status)
        && node.protocol.drained()
        && idle
        && membership.release(node.id)) {
      steps.kill(node);
    } else {
      if (membership.isSettled() && membership.owns(node.id) && !membership.isJoining()) {
        membership.rebalance();
      }
      later(40, () -> drain(node));
    }
  }

  /** Where nodes have disks a leaving node owns TOP to the end. */
  private boolean ownsNothing(ProtocolStatus status) {
    int top = world.options.hasDisks() ? world.topology().top() : -1;
    return status.shards().stream().allMatch(shard -> shard.shard() == top);
  }

  private void churn() {
    long delay = 0;
    for (int moves = random.between(2, 6); moves > 0; moves--) {
      later(delay, () -> membership.rebalance());
      delay += random.between(1, 40);
    }
  }

  private void pause(SimulatedNode node) {
    world.counters.add("pauses", 1);
    node.pausedUntil = Math.max(node.pausedUntil, world.now() + random.between(20, 300));
  }

  /** So many nodes fail at once, if enough are left, and all is well again after the last time. */
  private void fail(SimulatedFault fault, List<SimulatedNode> steady, int count) {
    int owners = Math.min(world.options.owners(), world.topology().members().size());
    if (count >= owners || steady.size() - count < 2 || steady.size() <= 2 * count - 1) {
      return;
    }
    List<SimulatedNode> failing = random.sample(steady, count);
    if (!isRepaired()) {
      later(random.between(5, 50), () -> happen(fault));
      return;
    }
    failedIn = world.topology().id();
    world.counters.add("failures " + fault.label(), 1);
    switch (fault) {
      case CRASH -> crash(failing.get(0));
      case RESTART -> {
        crash(failing.get(0));
        later(random.between(60, 300), () -> comeBack(failing.get(0)));
      }
      case STALE -> goStale(failing.get(0), random.between(0, 5));
      case PAUSE -> {
        pause(failing.get(0));
        goStale(failing.get(0), random.between(1, 60));
      }
      case PARTITION -> partition(failing);
      default -> {
        for (SimulatedNode node : failing) {
          if (random.chance(0.3)) {
            goStale(node, random.between(0, 30));
          } else {
            later(random.between(0, 30), () -> crash(node));
          }
        }
      }
    }
  }

  /** All owners of a shard fail, if somebody is left who has TOP. */
  private void loseShard() {
    Topology topology = world.topology();
    List<NodeId> owners = topology.shard(random.below(topology.top())).owners();
    boolean able = owners.stream().allMatch(owner -> world.node(owner).isSteady());
    if (!isRepaired() || !able) {
      later(random.between(5, 50), () -> happen(SimulatedFault.SHARD_LOSS));
    } else if (!owners.isEmpty() && !owners.containsAll(topology.shard(topology.top()).owners())) {
      failedIn = topology.id();
      world.counters.add("failures " + SimulatedFault.SHARD_LOSS.label(), 1);
      partition(owners.stream().map(world::node).toList());
    }
  }

  /** A new node is made an owner without the state, and expelled after it has stopped. */
  private void joinHastily() {
    if (world.topology().members().size() >= MEMBERS_MAX) {
      return;
    }
    if (!isRepaired() || !membership.isRecovered()) {
      later(random.between(5, 50), () -> happen(SimulatedFault.HASTY_JOIN));
      return;
    }
    failedIn = world.topology().id();
    world.counters.add("failures " + SimulatedFault.HASTY_JOIN.label(), 1);
    NodeId hasty = membership.joinHastily();
    later(random.between(60, 200), () -> membership.expel(List.of(hasty)));
  }

  private void crash(SimulatedNode node) {
    steps.kill(node);
    if (node.disk != null
        && world.options.has(SimulatedFault.POWER)
        && world.diskRandom.chance(0.5)) {
      node.disk.losePower(world.diskRandom);
    }
    later(random.between(1, 60), () -> membership.expel(List.of(node.id)));
  }

  /** A node joins with the disk of one that has died, unless another one has it since. */
  private void comeBack(SimulatedNode died) {
    if (membership.isDown() || membership.isJoining()) {
      later(random.between(5, 50), () -> comeBack(died));
    } else if (world.topology().members().size() < MEMBERS_MAX) {
      membership.comeBack(died);
    }
  }

  /**
   * A stale node hears of no topology any more; after a while it is expelled, and at last it dies.
   */
  private void goStale(SimulatedNode node, long expelledAfter) {
    node.stale = true;
    later(expelledAfter, () -> membership.expel(List.of(node.id)));
    endLater(node);
  }

  private void endLater(SimulatedNode node) {
    boolean told = random.chance(0.5);
    later(
        random.between(30, 400),
        () -> {
          node.pausedUntil = 0;
          if (told) {
            steps.install(node, world.topology());
          }
          steps.kill(node);
        });
  }

  private void partition(List<SimulatedNode> minority) {
    List<NodeId> ids = minority.stream().map(node -> node.id).toList();
    world.network.separate(ids);
    if (random.chance(0.5)) {
      long noticed = random.between(0, 60);
      minority.forEach(node -> node.stale = true);
      later(noticed, () -> membership.expel(ids));
      minority.forEach(this::endLater);
    } else {
      minority.forEach(node -> goStale(node, random.between(0, 60)));
    }
    for (int i = 0; i < minority.size(); i++) {
      later(random.between(100, 600), () -> happen(SimulatedFault.JOIN));
    }
  }

  private boolean isRepaired() {
    if (failedIn >= 0 && world.topology().id() > failedIn && membership.isRecovered()) {
      failedIn = -1;
    }
    return failedIn < 0;
  }
}
