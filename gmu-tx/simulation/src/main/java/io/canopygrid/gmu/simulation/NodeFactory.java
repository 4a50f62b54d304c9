package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;

/** Makes the nodes of a simulation: the real ones, or some with a broken rule. */
public interface NodeFactory {
  /** The protocol as it ships. */
  NodeFactory REAL =
      (id, shards, config, stores) -> new ProtocolNode(id, shards, config, stores, Fences.NONE);

  /** The stores in which the shards' entries are kept. */
  default OrderedStore.Factory stores() {
    return TreeMapStore.FACTORY;
  }

  ProtocolNode create(NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores);

  /**
   * A node that stores what it has.
   *
   * @param forcedLater as in {@link ProtocolNode#stored}
   */
  default ProtocolNode createStored(
      NodeId id,
      int shards,
      ProtocolConfig config,
      OrderedStore.Factory stores,
      boolean forcedLater) {
    return ProtocolNode.stored(id, shards, config, stores, Fences.NONE, forcedLater);
  }
}
