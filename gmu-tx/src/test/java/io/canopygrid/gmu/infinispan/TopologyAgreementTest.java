package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Checks when a node may install which topology. */
final class TopologyAgreementTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final NodeId C = new NodeId(3);

  private final Deque<Runnable> network = new ArrayDeque<>();
  private final Map<NodeId, TopologyAgreement> agreements = new HashMap<>();
  private Set<NodeId> unheard = Set.of();

  TopologyAgreementTest() {
    for (NodeId node : List.of(A, B, C)) {
      TopologyAgreement agreement =
          new TopologyAgreement(
              node,
              (to, notice) -> {
                if (!unheard.contains(node)) {
                  network.add(() -> of(to).heard(node, decoded(notice)));
                }
              });
      agreement.installed(topology(1, A, B, C));
      agreements.put(node, agreement);
    }
  }

  private static TopologyNotice decoded(TopologyNotice notice) {
    byte[] bytes = notice.encode();
    TopologyNotice decoded = TopologyNotice.decode(bytes, 0, bytes.length);
    assertThat(decoded).isEqualTo(notice);
    assertThat(HandshakeMessage.decode(bytes, 0, bytes.length)).isNull();
    return notice;
  }

  private TopologyAgreement of(NodeId node) {
    TopologyAgreement agreement = agreements.get(node);
    if (agreement == null) {
      throw new IllegalArgumentException("no such node: " + node);
    }
    return agreement;
  }

  private CompletableFuture<Void> received(NodeId node, Topology topology) {
    return of(node).received(topology).toCompletableFuture();
  }

  private void deliver() {
    while (!network.isEmpty()) {
      network.remove().run();
    }
  }

  private static Topology topology(long id, NodeId... members) {
    List<NodeId> all = List.of(members);
    return new Topology(id, all, List.of(new Placement(all, List.of())));
  }

  @Test
  void whatDropsNobodyIsInstalledAtOnce() {
    assertThat(received(A, topology(2, A, B, C))).isCompleted();
  }

  @Test
  void whatDropsAMemberWaitsForAllOthers() {
    CompletableFuture<Void> atA = received(A, topology(2, A, B));
    deliver();
    assertThat(atA).isNotDone();

    CompletableFuture<Void> atB = received(B, topology(2, A, B));
    deliver();

    assertThat(atA).isCompletedWithValue(null);
    assertThat(atB).isCompletedWithValue(null);
  }

  @Test
  void aNodeThatNobodyHearsInstallsNothing() {
    unheard = Set.of(C);
    CompletableFuture<Void> atC = received(C, topology(2, C, B));
    CompletableFuture<Void> atA = received(A, topology(2, A, B));
    CompletableFuture<Void> atB = received(B, topology(2, A, B));
    deliver();

    assertThat(atA).isCompletedWithValue(null);
    assertThat(atB).isCompletedWithValue(null);
    assertThat(atC).isNotDone();
    of(C).sees(Set.of(A, B, C));
    of(C).sees(Set.of(C));
    assertThat(atC).isCompletedExceptionally();
  }

  /** Infinispan makes no other topology after that: this one must come to its end. */
  @Test
  void whoIsNoMemberMayGo() {
    NodeId guest = new NodeId(4);
    of(A).sees(Set.of(A, B, guest));
    CompletableFuture<Void> atA = received(A, topology(2, A, B));
    of(A).sees(Set.of(A, B));
    assertThat(atA).isNotDone();

    CompletableFuture<Void> atB = received(B, topology(2, A, B));
    deliver();
    assertThat(atA).isCompletedWithValue(null);
    assertThat(atB).isCompletedWithValue(null);
  }

  @Test
  void whoHasGoneBeforeIsNotWaitedFor() {
    of(A).sees(Set.of(A, B, C));
    of(A).sees(Set.of(A, C));
    assertThat(received(A, topology(2, A, B))).isCompletedExceptionally();

    of(A).sees(Set.of(A, B));
    CompletableFuture<Void> again = received(A, topology(3, A, B));
    assertThat(again).isNotDone();
    CompletableFuture<Void> atB = received(B, topology(3, A, B));
    deliver();
    assertThat(again).isCompletedWithValue(null);
    assertThat(atB).isCompletedWithValue(null);
  }

  @Test
  void nobodyWaitsForWhatAMemberIsPast() {
    CompletableFuture<Void> atA = received(A, topology(2, A, B));
    of(A).ahead(2);
    assertThat(atA).isNotDone();

    of(A).ahead(3);
    assertThat(atA).isCompletedExceptionally();
  }

  @Test
  void onlySoManyOfThoseWhoHaveGoneAreRemembered() {
    for (int i = 0; i <= TopologyAgreement.LOST_MAX; i++) {
      of(A).sees(Set.of(A, new NodeId(100 + i)));
    }
    of(A).sees(Set.of(A));

    assertThat(of(A).lost()).hasSize(TopologyAgreement.LOST_MAX).doesNotContain(new NodeId(100));
  }

  @Test
  void anotherTopologyOfTheSameIdIsNoAgreement() {
    CompletableFuture<Void> atC = received(C, topology(2, C, B));
    CompletableFuture<Void> atB = received(B, topology(2, A, B));
    deliver();

    assertThat(atC).isNotDone();
    assertThat(atB).isNotDone();
  }

  @Test
  void whoIsBehindGoesOnToWhatTheOthersHave() {
    CompletableFuture<Void> atA = received(A, topology(2, A, B));
    CompletableFuture<Void> atB = received(B, topology(3, A, B));
    deliver();
    assertThat(atA).isCompletedExceptionally();
    assertThat(atB).isNotDone();

    CompletableFuture<Void> nextAtA = received(A, topology(3, A, B));
    deliver();

    assertThat(nextAtA).isCompletedWithValue(null);
    assertThat(atB).isCompletedWithValue(null);
  }

  @Test
  void whoLeavesAgrees() {
    CompletableFuture<Void> atA = received(A, topology(2, A, B));
    deliver();
    of(B).leave();
    deliver();

    assertThat(atA).isCompletedWithValue(null);
  }
}
