package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.Effect;

/**
 * The reports of nodes to the membership service: of complete copies, and of used-up topologies.
 */
interface HandOvers {
  /** A node needs a newer topology than this one. */
  void renew(long topology);

  /** A node's copy of a shard is complete. */
  void onSynced(NodeId node, Effect.Synced said);
}
