package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import java.util.ArrayList;
import java.util.List;

/** The changes of membership of a run, planned ones and failures. */
final class FaultPlan {
  private static final int MEMBERS_MAX = 6;

  private final Simulation grid;
  private final SeededRandom random;
  private final List<Fault> kinds = new ArrayList<>();

  /** The topology of the last failure that is not known to be repaired; -1: there is none. */
  private long failedIn = -1;

  FaultPlan(Simulation grid, SeededRandom random) {
    this.grid = grid;
    this.random = random;
    for (Fault fault : grid.options.faults()) {
      for (int i = weight(fault); i > 0; i--) {
        kinds.add(fault);
      }
    }
  }

  /** How often a fault happens, compared to others; 0: it is none that happens at a time. */
  private static int weight(Fault fault) {
    return switch (fault) {
      case JOIN, LEAVE -> 1;
      case MOVE, STALE -> 2;
      case CRASH -> 3;
      case REORDER, DELAY, DUPLICATE, SKIP -> 0;
    };
  }

  /** After this time there are no new ones. */
  long end() {
    return kinds.isEmpty() ? 0 : 900;
  }

  void schedule() {
    if (!kinds.isEmpty()) {
      int count = random.between(2, 8);
      for (int i = 0; i < count; i++) {
        Fault fault = random.oneOf(kinds);
        grid.after(random.between(15, (int) end()), () -> happen(fault));
      }
    }
  }

  private void happen(Fault fault) {
    Topology topology = grid.membership.current();
    List<SimulatedNode> steady = new ArrayList<>();
    for (NodeId member : topology.members()) {
      if (grid.node(member).isSteady()) {
        steady.add(grid.node(member));
      }
    }
    switch (fault) {
      case JOIN -> {
        if (topology.members().size() < MEMBERS_MAX) {
          grid.membership.join();
        }
      }
      case LEAVE -> {
        if (steady.size() > 3) {
          leave(random.oneOf(steady));
        }
      }
      case MOVE -> grid.membership.rebalance();
      case CRASH, STALE -> {
        if (steady.size() > 2) {
          fail(fault, random.oneOf(steady));
        }
      }
      default -> throw new IllegalStateException("does not happen at a time: " + fault);
    }
  }

  private void leave(SimulatedNode node) {
    node.leaving = true;
    grid.membership.rebalance();
    grid.after(30, () -> drain(node));
  }

  /** A leaving node goes when it owns nothing, runs nothing, and all that it knows is done. */
  private void drain(SimulatedNode node) {
    Membership membership = grid.membership;
    if (node.dead || !membership.current().members().contains(node.id)) {
      return;
    }
    ProtocolStatus status = node.protocol.status();
    boolean idle = !grid.load.isBusyAt(node);
    if (membership.isSettled()
        && status.topology() == membership.current().id()
        && status.shards().isEmpty()
        && node.protocol.drained()
        && idle) {
      membership.release(node.id);
      grid.kill(node);
    } else {
      if (membership.isSettled() && membership.owns(node.id) && !membership.isJoining()) {
        membership.rebalance();
      }
      grid.after(40, () -> drain(node));
    }
  }

  private void fail(Fault fault, SimulatedNode node) {
    if (!isRepaired()) {
      grid.after(random.between(5, 50), () -> happen(fault));
      return;
    }
    failedIn = grid.membership.current().id();
    if (fault == Fault.CRASH) {
      grid.kill(node);
      grid.after(random.between(1, 60), () -> grid.membership.expel(node.id));
    } else {
      node.stale = true;
      grid.after(random.between(0, 5), () -> grid.membership.expel(node.id));
      boolean told = random.chance(0.5);
      grid.after(
          random.between(30, 400),
          () -> {
            if (told) {
              grid.install(node, grid.membership.current());
            }
            grid.kill(node);
          });
    }
  }

  private boolean isRepaired() {
    if (failedIn >= 0
        && grid.membership.current().id() > failedIn
        && grid.membership.isRecovered()) {
      failedIn = -1;
    }
    return failedIn < 0;
  }
}
