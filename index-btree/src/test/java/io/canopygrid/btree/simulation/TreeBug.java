package io.canopygrid.btree.simulation;

import io.canopygrid.btree.control.BalancePolicy;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;

/** Something broken on purpose, to prove that the simulation notices. One run's own. */
class TreeBug {
  /** Nothing is broken. */
  static final TreeBug NONE = new TreeBug();

  /** What the tree sees instead of a node. */
  GmuNode face(GmuNode node) {
    return node;
  }

  /** What decides instead of a controller's policy. */
  BalancePolicy policy(BalancePolicy real) {
    return real;
  }

  /** A node of the protocol. */
  ProtocolNode node(
      NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    return new ProtocolNode(id, shards, config, stores, fences);
  }
}
