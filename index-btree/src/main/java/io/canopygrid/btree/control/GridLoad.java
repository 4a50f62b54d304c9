package io.canopygrid.btree.control;

import io.canopygrid.btree.crown.Crown;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.CutOffEntry;
import io.canopygrid.btree.load.NodeLoad;
import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All subtrees at about one moment, on which the controller decides.
 *
 * <p>A node that has not told its load is left out: its shards have no primary here, so its
 * subtrees stay as they are, and none goes there.
 *
 * @param primaries by shard, TOP left out; null: it has none, or one that is silent
 * @param silent how many nodes are left out
 * @param subtrees by index and key
 * @param cutOffs of indexes for which it is fixed how many subtrees per node are wanted
 * @param entriesMax by index the entries above which a subtree is split as it grows; 0 or nothing
 *     where that is not known
 */
public record GridLoad(
    List<@Nullable NodeId> primaries,
    int silent,
    List<PlacedSubtree> subtrees,
    Map<Integer, Integer> cutOffs,
    Map<Integer, Integer> entriesMax) {
  /** The grid as a node's crown shows it, with the loads that the nodes tell. */
  public static GridLoad of(GmuNode node, List<NodeLoad> nodes, Map<Integer, Integer> entriesMax) {
    Map<Long, SubtreeLoad> loads = new HashMap<>();
    Map<Long, Map<NodeId, Double>> uses = new HashMap<>();
    Set<NodeId> heard = new HashSet<>();
    Set<NodeId> silent = new HashSet<>();
    for (NodeLoad told : nodes) {
      heard.add(told.node());
      told.served().forEach(load -> loads.put(load.kcl(), load));
      told.uses()
          .forEach((kcl, perSecond) ->
              uses.computeIfAbsent(kcl, any -> new HashMap<>()).put(told.node(), perSecond));
    }
    Topology topology = node.topology();
    List<@Nullable NodeId> primaries = new ArrayList<>();
    for (int shard = 0; shard < node.shardMap().shards(); shard++) {
      List<NodeId> owners = topology.shard(shard).owners();
      NodeId primary = owners.isEmpty() ? null : owners.get(0);
      if (primary != null && !heard.contains(primary)) {
        silent.add(primary);
        primary = null;
      }
      primaries.add(primary);
    }
    List<CrownEntry> crown = new ArrayList<>();
    Crown.forEach(node.top(), crown::add);
    List<PlacedSubtree> subtrees = new ArrayList<>(crown.size());
    for (int i = 0; i < crown.size(); i++) {
      CrownEntry entry = crown.get(i);
      boolean last = i + 1 == crown.size() || crown.get(i + 1).index() != entry.index();
      int shard = node.shardMap().shardOf(entry.kcl());
      SubtreeLoad load = loads.get(entry.kcl());
      subtrees.add(
          new PlacedSubtree(
              entry.index(),
              entry.separator(),
              last ? null : crown.get(i + 1).separator(),
              shard,
              primaries.get(shard),
              load == null ? new SubtreeLoad(entry.kcl(), 0, 0, 0, 0, 0, List.of()) : load,
              uses.getOrDefault(entry.kcl(), Map.of())));
    }
    return new GridLoad(
        primaries, silent.size(), subtrees, CutOffEntry.all(node.top()), entriesMax);
  }

  /** The number of nodes that are the primary of a shard and have told their load. */
  public int nodes() {
    return (int) primaries.stream().filter(node -> node != null).distinct().count();
  }

  /** The shard at a node, which must be a primary, that has the fewest subtrees. */
  public int shardAt(NodeId node) {
    return new Shares(primaries, subtrees, (subtree, at) -> subtree.entries()).shardAt(node);
  }
}
