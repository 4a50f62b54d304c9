package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.Effect;

/** What nodes tell the membership service: when copies are complete, and topologies used up. */
interface HandOvers {
  /** A node needs a newer topology than this one. */
  void renew(long topology);

  /** A node's copy of a shard is complete. */
  void onSynced(NodeId node, Effect.Synced said);
}
