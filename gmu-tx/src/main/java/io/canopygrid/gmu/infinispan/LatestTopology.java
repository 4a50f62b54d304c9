package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;

/**
 * The facts of the topology that counts last, for one node. Threads may come with topologies out of
 * order: an older one changes nothing. Thread-safe.
 */
final class LatestTopology {
  private final NodeId self;
  private volatile boolean hasData;
  private volatile boolean isAtRest;

  /** The topology of which these are; guarded by this object. */
  private long id;

  LatestTopology(NodeId self) {
    this.self = self;
  }

  synchronized void note(ReceivedTopology received) {
    Topology topology = received.topology();
    if (topology.id() >= id) {
      id = topology.id();
      hasData = hasData(topology);
      isAtRest = received.isAtRest();
    }
  }

  /** Whether a topology counts on what this node has. */
  boolean hasData(Topology topology) {
    return topology.shard(topology.top()).owners().contains(self);
  }

  /** Whether the last one does so. */
  boolean hasData() {
    return hasData;
  }

  /** Whether Infinispan moves nothing in it. */
  boolean isAtRest() {
    return isAtRest;
  }
}
