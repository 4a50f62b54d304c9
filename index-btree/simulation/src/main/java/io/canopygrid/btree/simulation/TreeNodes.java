package io.canopygrid.btree.simulation;

import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.simulation.NodeFactory;
import io.canopygrid.gmu.spi.OrderedStore;

/**
 * Protocol nodes that keep the entries in the shipped trees.
 *
 * @param stores makes the trees
 * @param bug what is broken on purpose
 */
public record TreeNodes(OrderedStore.Factory stores, TreeBug bug) implements NodeFactory {
  /** The nodes as they ship, whose commits are noted. */
  public static TreeNodes shipped(CommitHistory history) {
    return new TreeNodes(history, TreeBug.NONE);
  }

  @Override
  public ProtocolNode create(
      NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory watched) {
    return bug.node(id, shards, config, watched, new SubtreeFences());
  }

  @Override
  public ProtocolNode createStored(
      NodeId id,
      int shards,
      ProtocolConfig config,
      OrderedStore.Factory watched,
      boolean forcedLater) {
    return ProtocolNode.stored(id, shards, config, watched, new SubtreeFences(), forcedLater);
  }
}
