package io.canopygrid.gmu.node;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.OrderedStore;
import java.util.Collections;
import java.util.List;

/** A grid of one node: it owns every shard, and nothing travels. */
public final class StandaloneNode {
  private static final NodeId SELF = new NodeId(1);

  private StandaloneNode() {}

  /** Starts the node, whose only thread is its timer; close it to end that. */
  public static GmuNode start(
      ShardMap shardMap, NodeSettings settings, OrderedStore.Factory stores, Fences fences) {
    HostedNode node =
        new HostedNode(
            SELF,
            shardMap,
            settings,
            stores,
            fences,
            (to, message) -> {
              throw new IllegalStateException("there is no other node: to=" + to);
            },
            NodeHost.NONE);
    Topology.Placement here = new Topology.Placement(List.of(SELF), List.of());
    node.install(new Topology(1, List.of(SELF), Collections.nCopies(shardMap.shards() + 1, here)));
    return node;
  }
}
