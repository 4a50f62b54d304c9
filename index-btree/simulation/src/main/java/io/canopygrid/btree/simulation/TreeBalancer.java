package io.canopygrid.btree.simulation;

import io.canopygrid.CanopyException;
import io.canopygrid.Placement;
import io.canopygrid.btree.control.BalanceLimits;
import io.canopygrid.btree.control.BalancePolicy;
import io.canopygrid.btree.control.ChangeLog;
import io.canopygrid.btree.control.ChangeRuns;
import io.canopygrid.btree.control.Controller;
import io.canopygrid.btree.control.CutOffPolicy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.SimulatedHandle;
import io.canopygrid.btree.load.LoadRecorder;
import io.canopygrid.btree.load.NodeLoad;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * The controllers of all nodes, driven by a client: beside the workload, and afterwards until they
 * come to rest. The reports of the nodes on their subtrees reach the controller in charge without
 * messages.
 */
final class TreeBalancer {
  /** In units of virtual time, as is the next. */
  private static final int ROUND_EVERY = 60;

  private static final int INTERVAL_MILLIS = 10;

  /** Rounds after which it must have come to rest, and how many show that it has. */
  private static final int ROUNDS_MAX = 120;

  private static final int QUIET_ROUNDS = 30;

  private final SimulatedGrid grid;
  private final UnaryOperator<BalancePolicy> policies;
  private final BalanceLimits limits;
  private final Map<NodeId, Controller> controllers = new TreeMap<>();

  TreeBalancer(SimulatedGrid grid, int subtreesPerNode, UnaryOperator<BalancePolicy> policies) {
    this.grid = grid;
    this.policies = policies;
    this.limits =
        new BalanceLimits(true, subtreesPerNode, 2, 1_000_000, Placement.EVEN, INTERVAL_MILLIS);
  }

  void onNode(GmuNode node, EmbeddedCanopy handle) {
    LoadRecorder recorder = new LoadRecorder(node, bound -> 0, limits.memorySeconds());
    ChangeRuns runs =
        new ChangeRuns(SimulatedHandle.reshaping(handle), node.threads(), limits, new ChangeLog());
    controllers.put(
        node.self(),
        new Controller(
            node,
            recorder,
            this::told,
            SimulatedHandle.reshaping(handle),
            runs,
            policies.apply(new CutOffPolicy(limits)),
            limits));
  }

  private List<NodeLoad> told() {
    return grid.usable().stream().map(node -> controller(node).own()).toList();
  }

  private Controller controller(GmuNode node) {
    Controller controller = controllers.get(node.self());
    if (controller == null) {
      throw new IllegalStateException("no controller: " + node.self());
    }
    return controller;
  }

  /** The number of changes that all controllers have made or tried. */
  long made() {
    return controllers.values().stream().mapToLong(Controller::made).sum();
  }

  /** Goes on as long as there are clients besides this one and the last. */
  void run() {
    while (grid.clients() > 2) {
      grid.sleep(ROUND_EVERY);
      round();
    }
  }

  /** Goes on until nothing is left to be done. */
  void rest() {
    int quiet = 0;
    for (int round = 0; quiet < QUIET_ROUNDS; round++) {
      if (round > ROUNDS_MAX) {
        grid.problem("liveness: the controller does not come to rest");
        return;
      }
      long before = made();
      grid.sleep(ROUND_EVERY);
      round();
      quiet = made() == before ? quiet + 1 : 0;
    }
  }

  private void round() {
    List<GmuNode> usable = grid.usable();
    for (GmuNode node : usable) {
      grid.use(node, () -> guarded(node));
    }
  }

  private void guarded(GmuNode node) {
    try {
      controller(node).round();
    } catch (TimeoutException | CanopyException e) {
      grid.note("a round of the controller did not end: " + e.getMessage());
    } catch (InvariantViolation e) {
      grid.problem("the controller at " + node.self() + ": " + e.getMessage());
    } catch (RuntimeException e) {
      if (grid.usable().contains(node)) {
        grid.problem("the controller at " + node.self() + ": " + e);
      }
    }
  }
}
