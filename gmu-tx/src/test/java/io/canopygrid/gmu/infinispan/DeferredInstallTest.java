package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks which topologies are put off, and until when. */
final class DeferredInstallTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final NodeId C = new NodeId(3);

  private final List<Runnable> later = new ArrayList<>();
  private final List<Long> installed = new ArrayList<>();
  private final List<Long> dropped = new ArrayList<>();
  private final DeferredInstall deferred = new DeferredInstall((task, nanos) -> later.add(task));

  private static Topology topology(long id, List<NodeId> members, Placement... shards) {
    return new Topology(id, members, List.of(shards));
  }

  private static Placement owners(NodeId... owners) {
    return new Placement(List.of(owners), List.of());
  }

  private static Placement joined(List<NodeId> owners, NodeId... learners) {
    return new Placement(owners, List.of(learners));
  }

  private void putOff(Topology topology) {
    deferred.untilInstalled(topology, () -> installed.add(topology.id()));
  }

  private void awaitNewcomer(Topology topology) {
    deferred.untilNewcomerHas(
        topology, () -> installed.add(topology.id()), () -> dropped.add(topology.id()));
  }

  @Test
  void anotherIdAndJoinersThatHaveTheirCopyChangeNothing() {
    List<NodeId> all = List.of(A, B, C);
    Topology last = topology(5, all, joined(List.of(A, B), C), owners(B, A));

    assertThat(
            DeferredInstall.changesNothing(last, topology(6, all, owners(A, B, C), owners(B, A))))
        .isTrue();
    assertThat(
            DeferredInstall.changesNothing(last, topology(6, all, owners(A, C, B), owners(B, A))))
        .isTrue();
  }

  @Test
  void membersPrimariesHoldersAndJoinersCount() {
    List<NodeId> all = List.of(A, B, C);
    Topology last = topology(5, all, joined(List.of(A, B), C), owners(B, A));

    assertThat(
            List.of(
                topology(6, List.of(A, B), owners(A, B), owners(B, A)), // a member has left
                topology(6, all, owners(C, A, B), owners(B, A)), // another primary
                topology(6, all, owners(A, C), owners(B, A)), // an owner is on its way out
                topology(6, all, owners(A, B), owners(B, A)), // the learner gets nothing
                topology(6, all, joined(List.of(A, B), C), owners(B, A)), // it asks anew
                topology(6, all, joined(List.of(A), B, C), owners(B, A)), // a copy begins anew
                topology(6, all, owners(A, B, C), owners()))) // a shard is lost
        .allSatisfy(next -> assertThat(DeferredInstall.changesNothing(last, next)).isFalse());
  }

  @Test
  void whatBringsMembersDropsNone() {
    Topology last = topology(5, List.of(A, B));

    assertThat(DeferredInstall.bringsMembers(last, topology(6, List.of(A, B, C)))).isTrue();
    assertThat(DeferredInstall.bringsMembers(last, topology(6, List.of(A, B)))).isFalse();
    assertThat(DeferredInstall.bringsMembers(last, topology(6, List.of(A, C)))).isFalse();
  }

  @Test
  void whatNobodyInstallsIsNotInstalled() {
    putOff(topology(6, List.of(A, B)));
    deferred.ahead(5);
    deferred.lost(Set.of(B));
    deferred.drop();
    deferred.ahead(7);

    assertThat(installed).isEmpty();
    assertThat(later).isEmpty();
  }

  @Test
  void whatAMemberHasInstalledIsInstalledOnce() {
    putOff(topology(6, List.of(A, B)));
    deferred.ahead(6);
    deferred.ahead(6);

    assertThat(installed).containsExactly(6L);
  }

  @Test
  void whatAMemberHadInstalledBeforeIsNotPutOff() {
    deferred.ahead(6);
    putOff(topology(6, List.of(A, B)));
    awaitNewcomer(topology(7, List.of(A, B, C)));

    assertThat(installed).containsExactly(6L);
    assertThat(deferred.newest()).isEqualTo(6);
  }

  @Test
  void aNewcomerThatSaysNothingIsNotWaitedForLong() {
    awaitNewcomer(topology(6, List.of(A, B, C)));
    assertThat(installed).isEmpty();

    later.forEach(Runnable::run);
    later.forEach(Runnable::run);
    assertThat(installed).containsExactly(6L);
  }

  /** Otherwise a caller that waits for its installation would wait for ever. */
  @Test
  void whatANewerOneReplacesIsSaidToBeOverOnce() {
    awaitNewcomer(topology(6, List.of(A, B, C)));
    deferred.drop();
    deferred.drop();
    later.forEach(Runnable::run);

    assertThat(dropped).containsExactly(6L);
    assertThat(installed).isEmpty();
  }

  @Test
  void soIsWhatTheNextOnePutOffReplaces() {
    awaitNewcomer(topology(6, List.of(A, B, C)));
    putOff(topology(7, List.of(A, B, C)));
    deferred.ahead(7);

    assertThat(dropped).containsExactly(6L);
    assertThat(installed).containsExactly(7L);
  }

  @Test
  void soIsOneOfWhichAMemberHasGone() {
    awaitNewcomer(topology(6, List.of(A, B, C)));
    deferred.lost(Set.of(C));
    later.forEach(Runnable::run);
    deferred.ahead(6);

    assertThat(dropped).containsExactly(6L);
    assertThat(installed).isEmpty();
  }

  @Test
  void whoIsNoMemberMayGo() {
    awaitNewcomer(topology(6, List.of(A, B)));
    deferred.lost(Set.of(C));
    assertThat(dropped).isEmpty();

    deferred.ahead(6);
    assertThat(installed).containsExactly(6L);
  }

  @Test
  void theNewestReplacesWhatWasPutOffBefore() {
    putOff(topology(6, List.of(A, B)));
    putOff(topology(7, List.of(A, B)));
    deferred.ahead(7);

    assertThat(installed).containsExactly(7L);
  }
}
