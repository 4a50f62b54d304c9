package io.canopygrid.btree.simulation;

import io.canopygrid.btree.control.BalancePolicy;
import io.canopygrid.btree.control.GridLoad;
import io.canopygrid.btree.control.PlannedChange;
import io.canopygrid.btree.load.NodeLoad;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.gmu.NodeId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A policy whose decisions are checked: the subtrees of a node without a report stay as they are,
 * and none goes there.
 */
final class HeardPolicy implements BalancePolicy {
  private final BalancePolicy real;
  private final Consumer<String> problems;

  /** The nodes that the next decision knows of. */
  private final Set<NodeId> heard = new HashSet<>();

  HeardPolicy(BalancePolicy real, Consumer<String> problems) {
    this.real = real;
    this.problems = problems;
  }

  /** Notes the reports on which the next decision is made; a node knows its own load. */
  List<NodeLoad> heard(NodeId self, List<NodeLoad> reports) {
    heard.clear();
    heard.add(self);
    reports.forEach(report -> heard.add(report.node()));
    return reports;
  }

  @Override
  public List<PlannedChange> decide(GridLoad grid) {
    List<PlannedChange> changes = real.decide(grid);
    for (PlannedChange change : changes) {
      if (!isHeard(change.subtree().node()) || !isHeard(target(grid, change))) {
        problems.accept("changes what a node without a report has: " + change);
      }
    }
    return changes;
  }

  private boolean isHeard(@Nullable NodeId node) {
    return node != null && heard.contains(node);
  }

  private static @Nullable NodeId target(GridLoad grid, PlannedChange change) {
    int shard = change.subtree().shard();
    if (change instanceof PlannedChange.Split split && split.shard() != Closing.ANY_SHARD) {
      shard = split.shard();
    } else if (change instanceof PlannedChange.Move move) {
      shard = move.shard();
    }
    return grid.primaries().get(shard);
  }

  @Override
  public void reset() {
    real.reset();
  }
}
