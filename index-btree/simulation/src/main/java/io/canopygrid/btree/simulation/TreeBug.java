package io.canopygrid.btree.simulation;

import io.canopygrid.btree.control.BalancePolicy;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;

/**
 * Something broken on purpose, to prove that the simulation notices; this one breaks nothing. One
 * run's own.
 */
public class TreeBug {
  /** Nothing is broken. */
  static final TreeBug NONE = new TreeBug();

  /** For subclasses. */
  protected TreeBug() {}

  /** The node that the tree sees instead of a real one. */
  protected GmuNode face(GmuNode node) {
    return node;
  }

  /** The policy that decides instead of a controller's own. */
  protected BalancePolicy policy(BalancePolicy real) {
    return real;
  }

  /** A node of the protocol. */
  protected ProtocolNode node(
      NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    return new ProtocolNode(id, shards, config, stores, fences);
  }
}
