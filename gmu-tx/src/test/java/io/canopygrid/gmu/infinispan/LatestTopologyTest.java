package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.List;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.CacheTopology.Phase;
import org.junit.jupiter.api.Test;

/** Threads that come with topologies out of order leave the facts of the last one. */
final class LatestTopologyTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId OTHER = new NodeId(2);

  private final LatestTopology latest = new LatestTopology(SELF);

  /** A topology of which all is owned by one node. */
  private static ReceivedTopology topology(int id, NodeId owner, Phase phase) {
    Placement all = new Placement(List.of(owner), List.of());
    return new ReceivedTopology(
        new Topology(id, List.of(SELF, OTHER), List.of(all, all)),
        new CacheTopology(id, 1, null, null, phase, List.of(), List.of()));
  }

  @Test
  void theLastOneCounts() {
    assertThat(latest.hasData()).isFalse();
    latest.note(topology(3, SELF, Phase.READ_ALL_WRITE_ALL));
    assertThat(latest.hasData()).isTrue();
    assertThat(latest.isAtRest()).isFalse();
    latest.note(topology(4, OTHER, Phase.NO_REBALANCE));
    assertThat(latest.hasData()).isFalse();
    assertThat(latest.isAtRest()).isTrue();
  }

  @Test
  void anOlderOneChangesNothing() {
    latest.note(topology(5, SELF, Phase.NO_REBALANCE));
    latest.note(topology(3, OTHER, Phase.READ_ALL_WRITE_ALL));
    assertThat(latest.hasData()).isTrue();
    assertThat(latest.isAtRest()).isTrue();
  }
}
