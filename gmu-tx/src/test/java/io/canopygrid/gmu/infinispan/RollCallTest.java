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

/** Who may install which topology when. */
final class RollCallTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final NodeId C = new NodeId(3);

  private final Deque<Runnable> network = new ArrayDeque<>();
  private final Map<NodeId, RollCall> calls = new HashMap<>();
  private Set<NodeId> unheard = Set.of();

  RollCallTest() {
    for (NodeId node : List.of(A, B, C)) {
      RollCall call =
          new RollCall(
              node,
              new Lineage(node, true, (to, objection) -> {}, why -> {}),
              (to, notice) -> {
                if (!unheard.contains(node)) {
                  network.add(() -> of(to).heard(node, decoded(notice)));
                }
              });
      call.installed(topology(1, A, B, C));
      calls.put(node, call);
    }
  }

  private static TopologyNotice decoded(TopologyNotice notice) {
    byte[] bytes = notice.encode();
    TopologyNotice decoded = TopologyNotice.decode(bytes, 0, bytes.length);
    assertThat(decoded).isEqualTo(notice);
    assertThat(Greeting.decode(bytes, 0, bytes.length)).isNull();
    return notice;
  }

  private RollCall of(NodeId node) {
    RollCall call = calls.get(node);
    if (call == null) {
      throw new IllegalArgumentException("no such node: " + node);
    }
    return call;
  }

  private CompletableFuture<Void> given(NodeId node, Topology topology) {
    return of(node).given(topology).toCompletableFuture();
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
    assertThat(given(A, topology(2, A, B, C))).isCompleted();
  }

  @Test
  void whatDropsAMemberWaitsForAllOthers() {
    CompletableFuture<Void> atA = given(A, topology(2, A, B));
    deliver();
    assertThat(atA).isNotDone();

    CompletableFuture<Void> atB = given(B, topology(2, A, B));
    deliver();

    assertThat(atA).isCompletedWithValue(null);
    assertThat(atB).isCompletedWithValue(null);
  }

  @Test
  void aNodeThatNobodyHearsInstallsNothing() {
    unheard = Set.of(C);
    CompletableFuture<Void> atC = given(C, topology(2, C, B));
    CompletableFuture<Void> atA = given(A, topology(2, A, B));
    CompletableFuture<Void> atB = given(B, topology(2, A, B));
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
    CompletableFuture<Void> atA = given(A, topology(2, A, B));
    of(A).sees(Set.of(A, B));
    assertThat(atA).isNotDone();

    given(B, topology(2, A, B));
    deliver();
    assertThat(atA).isCompletedWithValue(null);
  }

  @Test
  void whoHasGoneBeforeIsNotWaitedFor() {
    of(A).sees(Set.of(A, B, C));
    of(A).sees(Set.of(A, C));
    assertThat(given(A, topology(2, A, B))).isCompletedExceptionally();

    of(A).sees(Set.of(A, B));
    CompletableFuture<Void> again = given(A, topology(3, A, B));
    assertThat(again).isNotDone();
    given(B, topology(3, A, B));
    deliver();
    assertThat(again).isCompletedWithValue(null);
  }

  @Test
  void nobodyWaitsForWhatAMemberIsPast() {
    CompletableFuture<Void> atA = given(A, topology(2, A, B));
    of(A).ahead(2);
    assertThat(atA).isNotDone();

    of(A).ahead(3);
    assertThat(atA).isCompletedExceptionally();
  }

  @Test
  void onlySoManyOfThoseWhoHaveGoneAreRemembered() {
    for (int i = 0; i <= RollCall.LOST_MAX; i++) {
      of(A).sees(Set.of(A, new NodeId(100 + i)));
    }
    of(A).sees(Set.of(A));

    assertThat(of(A).lost()).hasSize(RollCall.LOST_MAX).doesNotContain(new NodeId(100));
  }

  @Test
  void anotherTopologyOfTheSameIdIsNoAgreement() {
    CompletableFuture<Void> atC = given(C, topology(2, C, B));
    CompletableFuture<Void> atB = given(B, topology(2, A, B));
    deliver();

    assertThat(atC).isNotDone();
    assertThat(atB).isNotDone();
  }

  @Test
  void whoIsBehindGoesOnToWhatTheOthersHave() {
    CompletableFuture<Void> atA = given(A, topology(2, A, B));
    CompletableFuture<Void> atB = given(B, topology(3, A, B));
    deliver();
    assertThat(atA).isCompletedExceptionally();
    assertThat(atB).isNotDone();

    CompletableFuture<Void> nextAtA = given(A, topology(3, A, B));
    deliver();

    assertThat(nextAtA).isCompletedWithValue(null);
    assertThat(atB).isCompletedWithValue(null);
  }

  @Test
  void whoLeavesAgrees() {
    CompletableFuture<Void> atA = given(A, topology(2, A, B));
    deliver();
    of(B).leave();
    deliver();

    assertThat(atA).isCompletedWithValue(null);
  }
}
