package io.canopygrid.gmu.infinispan;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import java.util.List;
import java.util.UUID;

/** Foundings of nodes that have seen nothing. */
final class Foundings {
  private static final UUID GRID = new UUID(1, 2);

  private Foundings() {}

  static FoundingPlacement of(long base, List<NodeId> members, List<List<NodeId>> owners) {
    return new FoundingPlacement(base, members, owners, GRID, List.of(), VectorClock.ZERO, null);
  }
}
