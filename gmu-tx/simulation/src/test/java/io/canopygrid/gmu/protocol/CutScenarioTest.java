package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.recovery.GridFounding;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.storage.Recovered;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node that joins after a cut knows whom it concerns (protocol.md, Cuts). */
final class CutScenarioTest {
  private static final NodeId FOUNDER = new NodeId(1);
  private static final NodeId JOINER = new NodeId(2);
  private static final VectorClock KEPT = VectorClock.ZERO.with(0, 5);
  private static final VectorClock LOST = VectorClock.ZERO.with(0, 6);
  private static final Cut CUT = new Cut(3, KEPT);

  private record Said(NodeId from, Effect.Send send) {}

  private final Map<NodeId, ProtocolNode> nodes =
      Map.of(FOUNDER, node(FOUNDER), JOINER, node(JOINER));
  private final ArrayDeque<Said> wire = new ArrayDeque<>();

  @Test
  void aNodeThatJoinsHearsOfIt() {
    assertThat(tellsALostSession()).isTrue();
    assertThat(Mutation.CUTS_NOT_TOLD_ON.during(() -> new CutScenarioTest().tellsALostSession()))
        .isFalse();
  }

  private boolean tellsALostSession() {
    at(FOUNDER).founds(new GridFounding(3, List.of(), KEPT, CUT), Recovered.NOTHING);
    install(new Topology(3, List.of(FOUNDER), List.of(alone(), alone())));
    at(JOINER).joins(Recovered.NOTHING);
    install(new Topology(4, List.of(FOUNDER, JOINER), List.of(joined(), joined())));
    assertThat(at(JOINER).isReady()).isTrue();
    assertThat(at(JOINER).lostBy(KEPT)).isNull();
    assertThat(at(FOUNDER).lostBy(LOST)).isEqualTo(CUT);
    return CUT.equals(at(JOINER).lostBy(LOST));
  }

  private void install(Topology topology) {
    for (NodeId member : topology.members()) {
      List<Effect> effects = new ArrayList<>();
      at(member).onTopology(topology, 0, effects);
      take(member, effects);
    }
    for (Said next = wire.poll(); next != null; next = wire.poll()) {
      List<Effect> effects = new ArrayList<>();
      at(next.send().to()).onMessage(next.from(), next.send().message(), 0, effects);
      take(next.send().to(), effects);
    }
  }

  /** All is stored at once. */
  private void take(NodeId node, List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send) {
        wire.add(new Said(node, send));
      } else if (effect instanceof Effect.Store store) {
        List<Effect> more = new ArrayList<>();
        at(node).onStored(store.position(), 0, more);
        take(node, more);
      }
    }
  }

  private ProtocolNode at(NodeId node) {
    ProtocolNode at = nodes.get(node);
    assertThat(at).isNotNull();
    return at;
  }

  private static ProtocolNode node(NodeId id) {
    return ProtocolNode.stored(id, 1, Grid.CONFIG, TreeMapStore.FACTORY, Fences.NONE, true);
  }

  private static Placement alone() {
    return new Placement(List.of(FOUNDER), List.of());
  }

  private static Placement joined() {
    return new Placement(List.of(FOUNDER), List.of(JOINER));
  }
}
