package io.canopygrid.gmu.node;

import io.canopygrid.Durability;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grid of one node: it owns every shard, and nothing travels. */
public final class StandaloneNode {
  private StandaloneNode() {}

  /** Starts the node, whose only thread is its timer; close it to end that. */
  public static GmuNode start(
      ShardMap shardMap, NodeSettings settings, OrderedStore.Factory stores, Fences fences) {
    NodeId self = new NodeId(1);
    return install(node(self, shardMap, settings, stores, fences, null), 1);
  }

  /**
   * Starts the node with what its disk has, under an id that no node with this disk has had.
   *
   * @param storage closed by the node
   * @throws io.canopygrid.gmu.storage.StorageException the disk cannot be read or written
   */
  public static GmuNode start(
      ShardMap shardMap,
      NodeSettings settings,
      OrderedStore.Factory stores,
      Fences fences,
      Storage storage,
      Durability durability) {
    Recovered recovered = storage.recovered(shard -> shard == shardMap.top());
    NodeId self = new NodeId(recovered.users().size() + 1);
    NodeStorage disk = new NodeStorage(storage, durability);
    HostedNode node = node(self, shardMap, settings, stores, fences, disk);
    Topology last = recovered.topology();
    long first = last == null ? 1 : last.id() + 1;
    List<Topology> over = last == null ? List.of() : List.of(last);
    node.founds(new GridFounding(first, over, recovered.seen(), null), recovered);
    return install(node, first);
  }

  private static HostedNode node(
      NodeId self,
      ShardMap shardMap,
      NodeSettings settings,
      OrderedStore.Factory stores,
      Fences fences,
      @Nullable NodeStorage storage) {
    return new HostedNode(
        self,
        shardMap,
        settings,
        stores,
        fences,
        (to, message) -> {
          throw new IllegalStateException("there is no other node: to=" + to);
        },
        NodeHost.NONE,
        storage);
  }

  private static GmuNode install(HostedNode node, long topology) {
    NodeId self = node.self();
    Topology.Placement here = new Topology.Placement(List.of(self), List.of());
    int all = node.shardMap().shards() + 1;
    node.install(new Topology(topology, List.of(self), Collections.nCopies(all, here)));
    return node;
  }
}
