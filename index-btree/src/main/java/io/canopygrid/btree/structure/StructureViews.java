package io.canopygrid.btree.structure;

import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.btree.balance.Reshaping.Ending;
import io.canopygrid.btree.control.ChangeLog;
import io.canopygrid.btree.control.PlacedSubtree;
import io.canopygrid.btree.control.PlannedChange;
import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Subtrees and changes of the balance as users see them. */
final class StructureViews {
  private StructureViews() {}

  static Subtree of(PlacedSubtree subtree) {
    SubtreeLoad load = subtree.load();
    NodeId at = subtree.node();
    return new Subtree(
        subtree.low(),
        at == null ? "" : at.toString(),
        subtree.shard(),
        load.entries(),
        load.bytes(),
        load.readsPerSecond(),
        load.writesPerSecond(),
        load.cuts());
  }

  /** A change that a node makes. */
  static StructureChange of(GmuNode node, ChangeLog.Entry entry) {
    PlannedChange change = entry.change();
    return new StructureChange(
        kind(change),
        StructureChange.Reason.valueOf(change.reason().name()),
        state(entry.ending()),
        node.self().toString(),
        change.subtree().low(),
        target(node, change),
        entry.startedMillis(),
        entry.tookMillis(),
        entry.moved(),
        change.entries(),
        entry.etaMillis());
  }

  private static StructureChange.Kind kind(PlannedChange change) {
    if (change instanceof PlannedChange.Split) {
      return StructureChange.Kind.SPLIT;
    }
    return change instanceof PlannedChange.Merge
        ? StructureChange.Kind.MERGE
        : StructureChange.Kind.MOVE;
  }

  private static StructureChange.State state(@Nullable Ending ending) {
    return ending == null
        ? StructureChange.State.RUNNING
        : StructureChange.State.valueOf(ending.name());
  }

  private static String target(GmuNode node, PlannedChange change) {
    int shard = Closing.ANY_SHARD;
    if (change instanceof PlannedChange.Split split) {
      shard = split.shard();
    } else if (change instanceof PlannedChange.Move move) {
      shard = move.shard();
    }
    if (shard == Closing.ANY_SHARD) {
      return "";
    }
    List<NodeId> owners = node.topology().shard(shard).owners();
    return owners.isEmpty() ? "" : owners.get(0).toString();
  }
}
