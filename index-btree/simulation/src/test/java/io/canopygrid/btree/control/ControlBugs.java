package io.canopygrid.btree.control;

import io.canopygrid.btree.load.NodeLoad;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Broken rules of the controller. */
public final class ControlBugs {
  /** A node without a report counts as one that has nothing to do. */
  public static final Replacement SILENT_IS_IDLE =
      Replacement.replacing(
          GridLoad.class,
          "of",
          call -> {
            GmuNode node = call.argument(0, GmuNode.class);
            List<?> reports = call.argument(1, List.class);
            Map<NodeId, NodeLoad> loads = new LinkedHashMap<>();
            Topology topology = node.topology();
            for (int shard = 0; shard < node.shardMap().shards(); shard++) {
              for (NodeId owner : topology.shard(shard).owners()) {
                loads.put(owner, new NodeLoad(owner, List.of(), Map.of()));
              }
            }
            reports.forEach(report -> loads.put(((NodeLoad) report).node(), (NodeLoad) report));
            return call.with(1, new ArrayList<>(loads.values())).proceed();
          });

  private ControlBugs() {}
}
