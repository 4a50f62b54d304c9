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
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The controllers of all nodes, driven by a client: beside the workload, and afterwards until they
 * come to rest. The reports of the nodes on their subtrees reach the controller in charge without
 * messages: at once, or late or not at all.
 */
final class TreeBalancer {
  /** In units of virtual time, as is the next. */
  private static final int ROUND_EVERY = 60;

  private static final int INTERVAL_MILLIS = 10;

  /** Rounds after which it must have come to rest, and how many show that it has. */
  private static final int ROUNDS_MAX = 120;

  private static final int QUIET_ROUNDS = 30;

  /** Keeps the choice of reports apart from all others. */
  private static final int REPORTS = 2_998;

  /** The frequency of reports that do not come, and of those that come late. */
  private static final double LOST = 0.2;

  private static final double LATE = 0.4;

  /** A report is at most so many reports late. */
  private static final int LATE_MAX = 5;

  private final SimulatedGrid grid;
  private final UnaryOperator<BalancePolicy> policies;
  private final BalanceLimits limits;
  private final Map<NodeId, Controller> controllers = new TreeMap<>();

  /** Null: all reports come at once. */
  private final @Nullable SeededRandom chance;

  /** By node its last reports, the oldest first. */
  private final Map<NodeId, Deque<NodeLoad>> underWay = new TreeMap<>();

  private boolean isResting;
  private long reportsLost;

  /**
   * The controllers of a run.
   *
   * @param late whether reports are late, or do not come, while there are other clients
   */
  TreeBalancer(
      SimulatedGrid grid,
      int subtreesPerNode,
      UnaryOperator<BalancePolicy> policies,
      boolean late) {
    this.grid = grid;
    this.chance = late ? grid.random(REPORTS) : null;
    this.policies = policies;
    this.limits =
        new BalanceLimits(true, subtreesPerNode, 2, 1_000_000, Placement.EVEN, INTERVAL_MILLIS);
  }

  void onNode(GmuNode node, EmbeddedCanopy handle) {
    LoadRecorder recorder = new LoadRecorder(node, bound -> 0, limits.memorySeconds());
    ChangeRuns runs =
        new ChangeRuns(SimulatedHandle.reshaping(handle), node.threads(), limits, new ChangeLog());
    HeardPolicy policy =
        new HeardPolicy(
            policies.apply(new CutOffPolicy(limits)),
            problem -> grid.problem("the controller at " + node.self() + " " + problem));
    controllers.put(
        node.self(),
        new Controller(
            node,
            recorder,
            () -> policy.heard(node.self(), told()),
            SimulatedHandle.reshaping(handle),
            runs,
            policy,
            limits));
  }

  private List<NodeLoad> told() {
    List<NodeLoad> told = new ArrayList<>();
    for (GmuNode node : grid.usable()) {
      NodeLoad report = report(node);
      if (report != null) {
        told.add(report);
      }
    }
    return told;
  }

  /** The load that a node tells now or, where reports are late, told before; null: it is lost. */
  private @Nullable NodeLoad report(GmuNode node) {
    NodeLoad now = controller(node).own();
    if (chance == null || isResting) {
      return now;
    }
    Deque<NodeLoad> late = underWay.computeIfAbsent(node.self(), any -> new ArrayDeque<>());
    late.addLast(now);
    if (late.size() > LATE_MAX) {
      late.removeFirst();
    }
    if (chance.chance(LOST)) {
      reportsLost++;
      return null;
    }
    return chance.chance(LATE) ? late.getFirst() : now;
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

  /** The number of reports that did not come. */
  long reportsLost() {
    return reportsLost;
  }

  /**
   * Goes on as long as there are clients besides those that only do so, and the last.
   *
   * @param background how many those are, this one among them
   */
  void run(int background) {
    while (grid.clients() > background) {
      grid.sleep(ROUND_EVERY);
      round();
    }
  }

  /** Goes on until nothing is left to be done. */
  void rest() {
    isResting = true;
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
