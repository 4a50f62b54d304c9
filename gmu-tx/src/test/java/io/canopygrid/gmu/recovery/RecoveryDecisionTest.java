package io.canopygrid.gmu.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.recovery.RecoveryDecision.Founded;
import io.canopygrid.gmu.recovery.RecoveryDecision.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which disks a grid is founded from, and which it waits for. */
final class RecoveryDecisionTest {
  private static final NodeId N1 = new NodeId(1);
  private static final NodeId N2 = new NodeId(2);
  private static final NodeId N3 = new NodeId(3);
  private static final NodeId N4 = new NodeId(4);

  @Test
  void emptyDisksFoundNothingAndWaitForNobody() {
    assertThat(of(List.of(disk(1, List.of(), null)))).isNull();
  }

  @Test
  void allMembersFoundWhatTheyOwned() {
    Topology last = topology(7, List.of(N1, N2, N3), owned(N2, N1), owned(N1, N3));
    Founded founded =
        founded(
            disk(10, List.of(N1), last), disk(20, List.of(N2), last), disk(30, List.of(N3), last));
    assertThat(founded.newest()).isEqualTo(last);
    assertThat(founded.members()).isEqualTo(ids(10, 20, 30));
    assertThat(shards(founded)).isEqualTo(List.of(ids(20, 10), ids(10, 30)));
  }

  @Test
  void theNewestTopologyDecides() {
    Topology old = topology(7, List.of(N1, N2, N3), owned(N2, N1));
    Topology last = topology(8, List.of(N2, N3), owned(N3));
    Founded founded =
        founded(
            disk(10, List.of(N1), old), disk(20, List.of(N2), last), disk(30, List.of(N3), last));
    assertThat(founded.members()).as("the disk that left is no member").isEqualTo(ids(20, 30));
    assertThat(shards(founded)).isEqualTo(List.of(ids(30)));
  }

  @Test
  void halfOfTheMembersWaitUnlessTheOldestIsThere() {
    Topology last = topology(7, List.of(N1, N2, N3, N4), owned(N1, N2, N3, N4));
    assertThat(of(List.of(disk(30, List.of(N3), last), disk(40, List.of(N4), last))))
        .isEqualTo(new Waits(4, List.of(N1, N2), Set.of()));
    assertThat(founded(disk(10, List.of(N1), last), disk(40, List.of(N4), last)).members())
        .isEqualTo(ids(10, 40));
  }

  /** Something that was seen may be known to no more disks than may be lost. */
  @Test
  void moreDisksThanMayBeLostAreWaitedFor() {
    Topology last = topology(7, List.of(N1, N2, N3, N4), owned(N1, N2, N3, N4));
    List<Standing> two = List.of(disk(10, List.of(N1), last), disk(40, List.of(N4), last));
    assertThat(RecoveryDecision.of(two, 1)).isEqualTo(new Waits(4, List.of(N2, N3), Set.of()));
  }

  @Test
  void aShardWithoutAnOwnerIsWaitedFor() {
    Topology last = topology(7, List.of(N1, N2, N3), owned(N1), owned(N1, N2));
    assertThat(of(List.of(disk(20, List.of(N2), last), disk(30, List.of(N3), last))))
        .isEqualTo(new Waits(3, List.of(N1), Set.of(0)));
  }

  @Test
  void aShardThatWasLostBeforeIsNotWaitedFor() {
    Topology last = topology(7, List.of(N1, N2, N3), owned(), owned(N1, N2));
    assertThat(shards(founded(disk(10, List.of(N1), last), disk(20, List.of(N2), last))))
        .isEqualTo(List.of(List.of(), ids(10, 20)));
  }

  @Test
  void anOwnerWithoutACompleteCopyIsNoOwner() {
    Topology last = topology(7, List.of(N1, N2, N3), owned(N1, N2));
    Standing without =
        new Standing(
            new DiskId(10), null, List.of(N1), last, List.of(), Set.of(1), VectorClock.ZERO, 0);
    assertThat(shards(founded(without, disk(20, List.of(N2), last)))).isEqualTo(List.of(ids(20)));
  }

  /** Nodes that join have nothing to say: they do not know yet what there is. */
  @Test
  void membersWithoutTopDoNotCount() {
    Topology last = grid(7, List.of(N1, N2, N3, N4), List.of(N1), owned(N1));
    Founded founded = founded(disk(10, List.of(N1), last), joining(20, N2, last));
    assertThat(founded.members()).isEqualTo(ids(10));
    assertThat(of(List.of(joining(20, N2, last), joining(30, N3, last), joining(40, N4, last))))
        .isEqualTo(new Waits(1, List.of(N1), Set.of()));
    Topology next = grid(8, List.of(N1, N2, N3, N4), List.of(N1), owned(N1));
    assertThat(founded(disk(10, List.of(N1), last), joining(20, N2, next)).newest())
        .isEqualTo(last);
  }

  /** A founding that was interrupted: one member has installed its topology, the other not yet. */
  @Test
  void aMemberOfAFoundingThatWasInterruptedCounts() {
    Topology old = topology(7, List.of(N1, N2), owned(N1, N2));
    Topology founding = topology(8, List.of(N3, N4), owned(N3, N4));
    Founded founded =
        founded(installing(10, List.of(N1, N3), old, founding), disk(20, List.of(N2, N4), old));
    assertThat(founded.newest()).isEqualTo(founding);
    assertThat(shards(founded)).isEqualTo(List.of(ids(10, 20)));
  }

  /**
   * The first member has installed a topology without the others. It may be alone in that, and the
   * others can found a grid without it.
   */
  @Test
  void aTopologyThatNotAllMayHaveInstalledDoesNotCountAlone() {
    Topology old = topology(7, List.of(N1, N2, N3), owned(N1, N2));
    Topology next = topology(8, List.of(N1, N2), owned(N1, N2));
    assertThat(of(List.of(installing(10, List.of(N1), old, next))))
        .isEqualTo(new Waits(3, List.of(N2, N3), Set.of()));
    assertThat(founded(disk(20, List.of(N2), old), disk(30, List.of(N3), old)).newest())
        .isEqualTo(old);
    assertThat(founded(disk(10, List.of(N1), next)).newest()).isEqualTo(next);
    assertThat(
            founded(installing(10, List.of(N1), old, next), disk(20, List.of(N2), next)).newest())
        .isEqualTo(next);
  }

  @Test
  void transactionsBeginAboveAllThatAnyMemberHasSeen() {
    Topology last = topology(7, List.of(N1, N2), owned(N1, N2));
    VectorClock one = VectorClock.ZERO.with(0, 5);
    VectorClock two = VectorClock.ZERO.with(1, 6);
    Founded founded =
        founded(
            new Standing(new DiskId(10), null, List.of(N1), last, List.of(), Set.of(0, 1), one, 0),
            new Standing(new DiskId(20), null, List.of(N2), last, List.of(), Set.of(0, 1), two, 0));
    assertThat(founded.seen()).isEqualTo(one.join(two));
  }

  private static RecoveryDecision.@Nullable Answer of(List<Standing> standings) {
    return RecoveryDecision.of(standings, 2);
  }

  private static Founded founded(Standing... standings) {
    RecoveryDecision.Answer answer = of(List.of(standings));
    assertThat(answer).isInstanceOf(Founded.class);
    return (Founded) answer;
  }

  private static Standing disk(long id, List<NodeId> users, @Nullable Topology installed) {
    return new Standing(
        new DiskId(id), null, users, installed, List.of(), Set.of(0, 1, 2), VectorClock.ZERO, 0);
  }

  private static Standing joining(long id, NodeId user, Topology installed) {
    return new Standing(
        new DiskId(id), null, List.of(user), installed, null, Set.of(), VectorClock.ZERO, 0);
  }

  /** The disk of a node that does not know whether all have installed the second topology. */
  private static Standing installing(long id, List<NodeId> users, Topology old, Topology next) {
    return new Standing(
        new DiskId(id), null, users, next, List.of(old), Set.of(0, 1, 2), VectorClock.ZERO, 0);
  }

  /** The owners of all shards but TOP. */
  private static List<List<DiskId>> shards(Founded founded) {
    return founded.owners().subList(0, founded.owners().size() - 1);
  }

  private static List<DiskId> ids(long... ids) {
    return LongStream.of(ids).mapToObj(DiskId::new).toList();
  }

  private static Topology topology(long id, List<NodeId> members, Placement... placements) {
    return grid(id, members, members, placements);
  }

  /** The topology of a grid in which only some members own TOP. */
  private static Topology grid(
      long id, List<NodeId> members, List<NodeId> owners, Placement... placements) {
    List<Placement> shards = new ArrayList<>(List.of(placements));
    shards.add(
        new Placement(owners, members.stream().filter(each -> !owners.contains(each)).toList()));
    return new Topology(id, members, shards);
  }

  private static Placement owned(NodeId... owners) {
    return new Placement(List.of(owners), List.of());
  }
}
