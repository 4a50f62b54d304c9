package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FoundingGateTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);
  private static final NodeId THREE = new NodeId(3);
  private static final FoundingPlacement FOUNDING =
      Foundings.of(7, List.of(ONE, TWO), List.of(List.of(TWO), List.of(ONE, TWO)));

  private static Topology topology(long id) {
    return new Topology(id, FOUNDING.members(), FOUNDING.topology().shards());
  }

  @Test
  void theFoundingTopologyHasTopAtAllMembersAndAnIdAboveTheBase() {
    Topology founding = FOUNDING.topology();

    assertThat(founding.id()).isEqualTo(8);
    assertThat(founding.shard(0).owners()).containsExactly(TWO);
    assertThat(founding.shard(1).owners()).containsExactly(ONE, TWO);
    assertThat(founding.shard(founding.top()).owners()).containsExactly(ONE, TWO);
    assertThat(founding.shards()).allMatch(shard -> shard.learners().isEmpty());
  }

  @Test
  void onlyTheFoundingTopologyMayBeTheFirst() {
    FoundingGate gate = FoundingGate.of(FOUNDING);

    assertThat(gate.mayBeginWith(topology(8))).isTrue();
    assertThat(gate.mayBeginWith(topology(9))).isFalse();
    assertThat(FoundingGate.opened().mayBeginWith(topology(9))).isTrue();
  }

  @Test
  void otherTopologiesWaitUntilItOpens() {
    FoundingGate gate = FoundingGate.of(FOUNDING);

    assertThat(gate.holds(topology(8))).isFalse();
    assertThat(gate.holds(topology(9))).isTrue();
    assertThat(gate.opens().toCompletableFuture()).isNotDone();
    gate.open();
    assertThat(gate.holds(topology(9))).isFalse();
    assertThat(gate.opens().toCompletableFuture()).isCompleted();
    assertThat(gate.mayBeginWith(topology(9))).as("it has missed the first").isFalse();
  }

  @Test
  void aMemberThatHasGoneOnShowsThatAllHaveTheFoundingTopology() {
    FoundingGate gate = FoundingGate.of(FOUNDING);

    gate.ahead(8);
    assertThat(gate.isOpen()).isFalse();
    gate.ahead(9);
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void untilItOpensNoMemberMayBeMissing() {
    FoundingGate gate = FoundingGate.of(FOUNDING);

    assertThat(gate.missing(Set.of(ONE, THREE))).containsExactly(TWO);
    assertThat(gate.missing(Set.of(ONE, TWO))).isEmpty();
    gate.open();
    assertThat(gate.missing(Set.of(ONE))).isEmpty();
  }

  @Test
  void copiesAreLackedOnlyWhereThereAreNodesForThem() {
    assertThat(FOUNDING.lacksCopies(2)).isTrue();
    assertThat(FOUNDING.lacksCopies(1)).isFalse();
    assertThat(Foundings.of(0, List.of(ONE), List.of(List.of(ONE))).lacksCopies(2)).isFalse();
  }

  @Test
  void whatCannotBeFoundedIsRefused() {
    List<NodeId> one = List.of(ONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Foundings.of(-1, one, List.of(one)))
        .withMessageContaining("base=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Foundings.of(FoundingPlacement.BASE_MAX + 1, one, List.of(one)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Foundings.of(0, List.of(ONE, ONE), List.of(one)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Foundings.of(0, one, List.of(one, List.of())))
        .withMessageContaining("owners of shard 1=[]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Foundings.of(0, one, List.of(List.of(TWO))));
  }
}
