package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import org.jspecify.annotations.Nullable;

/**
 * The round by which nodes that start agree how to found their grid from what they have stored.
 *
 * <p>A node takes part when it hears the others and none of them is a member of a grid that serves.
 * Every node that hears the others takes part, also one that has nothing to give. All get the same
 * answer. A round whose founding fails is held again by the nodes that start again; its founding
 * must have a higher base.
 */
interface FoundingRound {
  /**
   * Takes part, and returns when all have agreed. Called by the thread that joins.
   *
   * @param self the id that this node has now
   * @return how to found the grid; null: nothing is stored anywhere, so it begins anew
   * @throws JoinException where the nodes that are there may not found it, or do not agree in time
   */
  @Nullable FoundingPlacement agree(NodeId self);
}
