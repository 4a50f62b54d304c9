package io.canopygrid.gmu.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.recovery.RecoveryDecision.Answer;
import io.canopygrid.gmu.recovery.RecoveryDecision.Founded;
import io.canopygrid.gmu.recovery.RecoveryDecision.Waits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Grids are founded where an operator says that disks are lost. */
final class LostDisksTest {
  private static final NodeId N1 = new NodeId(1);
  private static final NodeId N2 = new NodeId(2);
  private static final NodeId N3 = new NodeId(3);
  private static final NodeId N4 = new NodeId(4);

  /** Three shards of the three members, two owners each, and TOP. */
  private static final Topology LAST =
      topology(7, List.of(N1, N2, N3), owned(N1, N2), owned(N2, N3), owned(N3, N1));

  @Test
  void theMembersThatAreLeftFoundByTheWord() {
    assertThat(of(disk(20, N2, LAST))).isEqualTo(new Waits(3, List.of(N1, N3), Set.of()));
    Founded founded = founded(heard(disk(10, N1, LAST), word(7, N2)), disk(30, N3, LAST));
    assertThat(founded.members()).isEqualTo(ids(10, 30));
    assertThat(founded.without()).containsExactly(N2);
    assertThat(founded.empty()).isEmpty();
    assertThat(founded.owners()).isEqualTo(List.of(ids(10), ids(30), ids(30, 10), ids(10, 30)));
    assertThat(founded.over()).allMatch(each -> !each.members().contains(N2));
  }

  @Test
  void moreThanMayFailAtATimeCanBeLostByTheWord() {
    Topology last = topology(7, List.of(N1, N2, N3, N4), owned(N1, N2), owned(N4, N3));
    List<Standing> two = List.of(disk(10, N1, last), disk(40, N4, last));
    assertThat(RecoveryDecision.of(two, 1)).isEqualTo(new Waits(4, List.of(N2, N3), Set.of()));
    List<Standing> told = List.of(two.get(0), heard(two.get(1), word(7, N2, N3)));
    assertThat(RecoveryDecision.of(told, 1)).isInstanceOf(Founded.class);
  }

  @Test
  void theMembersThatAreNotLostMustBeEnough() {
    Topology last = topology(7, List.of(N1, N2, N3, N4), owned(N1, N2, N3, N4));
    Standing one = heard(disk(30, N3, last), word(7, N4));
    assertThat(of(one)).isEqualTo(new Waits(3, List.of(N1, N2), Set.of()));
    assertThat(founded(one, disk(20, N2, last)).members()).isEqualTo(ids(20, 30));
  }

  @Test
  void aShardThatIsLostIsWaitedForUntilItIsGivenUp() {
    Standing left = heard(disk(10, N1, LAST), word(7, N2, N3));
    assertThat(of(left)).isEqualTo(new Waits(1, List.of(), Set.of(1)));
    Losses given = lost(1, 7, Set.of(1), N2, N3);
    Founded founded = founded(heard(disk(10, N1, LAST), given));
    assertThat(founded.empty()).containsExactly(1);
    assertThat(founded.owners()).isEqualTo(List.of(ids(10), ids(10), ids(10), ids(10)));
  }

  /** The word was about the last time: the owners of today may come. */
  @Test
  void aShardThatWasGivenUpIsWaitedForInANewerGrid() {
    Topology next = topology(9, List.of(N1, N4), owned(N1), owned(N4), owned(N1));
    Standing left = heard(disk(10, N1, next), lost(2, 7, Set.of(1), N2, N3));
    assertThat(of(left)).isEqualTo(new Waits(2, List.of(N4), Set.of(1)));
  }

  /** One member has installed the founding topology, and the other one, whose disk it is, not. */
  @Test
  void aShardThatWasGivenUpIsNotWaitedForInAFoundingThatWasInterrupted() {
    Losses given = lost(1, 7, Set.of(1), N2);
    NodeId again = new NodeId(11);
    NodeId other = new NodeId(13);
    Topology before = topology(7, List.of(N1, N2, N3), owned(N1), owned(N2), owned(N3));
    Topology founding =
        topology(8, List.of(again, other), owned(again), owned(other), owned(other));
    Standing first =
        new Standing(
                new DiskId(10),
                null,
                List.of(N1, again),
                founding,
                List.of(given.takenOutOf(before)),
                Set.of(0, 3),
                VectorClock.ZERO,
                8)
            .with(given);
    Standing second =
        new Standing(
                new DiskId(30),
                null,
                List.of(N3, other),
                before,
                List.of(),
                Set.of(2, 3),
                VectorClock.ZERO,
                8)
            .with(given);
    Founded founded = founded(first, second);
    assertThat(founded.newest()).isEqualTo(founding);
    assertThat(founded.empty()).containsExactly(1);
    assertThat(founded.without()).isEmpty();
  }

  @Test
  void aDiskThatCountsAsLostDoesNotWinWhateverItHas() {
    Topology later = topology(9, List.of(N2, N3), owned(N2), owned(N3), owned(N3));
    Standing left = heard(disk(10, N1, LAST), lost(1, 7, Set.of(1), N2, N3));
    Founded founded = founded(left, disk(20, N2, later), disk(30, N3, later));
    assertThat(founded.newest().id()).isEqualTo(7);
    assertThat(founded.members()).isEqualTo(ids(10));
  }

  @Test
  void aDiskThatHasJoinedAgainCountsAsAnyOther() {
    NodeId again = new NodeId(12);
    Topology next = topology(9, List.of(N1, again), owned(N1), owned(again), owned(again));
    Standing back =
        new Standing(
            new DiskId(20),
            null,
            List.of(N2, again),
            next,
            List.of(),
            Set.of(0, 1, 2, 3),
            VectorClock.ZERO,
            0);
    Founded founded = founded(heard(disk(10, N1, next), word(7, N2)), back);
    assertThat(founded.members()).isEqualTo(ids(10, 20));
  }

  /** A node that has heard the word knows that there is something newer, and waits for it. */
  @Test
  void aWordIsOfNoUseWhereTheTopologyIsUnknownWithWhichItWasGiven() {
    Standing stale = heard(disk(10, N1, LAST), word(8, N2, N3));
    assertThat(of(stale)).isInstanceOf(Waits.class);
  }

  /** Nodes of before could go on by a word only, and a word of before does not count any more. */
  @Test
  void newcomersFoundWithoutTheMembersThatKnewWhatWasBefore() {
    Topology last = topology(7, List.of(N1, N2, N3), owned(N3), owned(N3, N1), owned(N3, N2));
    Standing newcomer =
        new Standing(
            new DiskId(30), null, List.of(N3), last, null, Set.of(0, 1, 2, 3), VectorClock.ZERO, 0);
    assertThat(of(newcomer)).isInstanceOf(Waits.class);
    assertThat(founded(heard(newcomer, word(7, N1, N2))).members()).isEqualTo(ids(30));
  }

  @Test
  void missingDisksAreListedWithWhatOnlyTheyHave() {
    MissingDisks missing = missing(Losses.NONE, disk(10, N1, LAST));
    assertThat(missing.topology()).isEqualTo(7);
    assertThat(missing.shards()).isEqualTo(4);
    assertThat(missing.missing()).isEqualTo(Map.of(N2, Set.of(1), N3, Set.of(1)));
    assertThat(missing.lost()).isEmpty();
    assertThat(missing.mayHaveGoneOn()).isTrue();
    MissingDisks without = missing(word(7, N2), disk(10, N1, LAST));
    assertThat(without.missing()).isEqualTo(Map.of(N3, Set.of(1)));
    assertThat(missing(word(7, N2, N3), disk(10, N1, LAST)).lost()).containsExactly(1);
    assertThat(missing(word(7, N2), disk(10, N1, LAST), disk(30, N3, LAST)).mayHaveGoneOn())
        .isFalse();
  }

  @Test
  void theLaterWordSaysWhichShardsAreGivenUp() {
    Losses one = new Losses(1, Map.of(N1, 7L), 7, Set.of(1));
    Losses two = new Losses(2, Map.of(N1, 6L, N2, 6L), 6, Set.of(2));
    assertThat(one.with(two)).isEqualTo(new Losses(2, Map.of(N1, 6L, N2, 6L), 6, Set.of(2)));
    assertThat(two.with(one)).isEqualTo(one.with(two));
    Losses other = new Losses(1, Map.of(N3, 7L), 7, Set.of(3));
    assertThat(one.with(other)).isEqualTo(new Losses(1, Map.of(N1, 7L, N3, 7L), 7, Set.of(1, 3)));
    assertThat(one.with(other).covers(one)).isTrue();
    assertThat(one.covers(other)).isFalse();
  }

  @Test
  void aDiskThatIsBackCountsAsLostWhateverMemberItWas() {
    Losses word = word(7, N2);
    assertThat(word.extendedBy(List.of(N2, N4), LAST).members()).isEqualTo(Map.of(N2, 7L, N4, 7L));
    Topology since = topology(7 + Losses.LEAP, List.of(N1, N4), owned(N1), owned(N4));
    assertThat(word.extendedBy(List.of(N2, N4), since)).as("it has joined again").isEqualTo(word);
    assertThat(word.extendedBy(List.of(N1, N3), LAST)).isEqualTo(word);
  }

  private static MissingDisks missing(Losses losses, Standing... disks) {
    MissingDisks missing = MissingDisks.of(List.of(disks), losses);
    assertThat(missing).isNotNull();
    return missing;
  }

  private static @Nullable Answer of(Standing... standings) {
    return RecoveryDecision.of(List.of(standings), 2);
  }

  private static Founded founded(Standing... standings) {
    Answer answer = of(standings);
    assertThat(answer).isInstanceOf(Founded.class);
    return (Founded) answer;
  }

  private static Losses word(long topology, NodeId... lost) {
    return lost(1, topology, Set.of(), lost);
  }

  private static Losses lost(long words, long topology, Set<Integer> shards, NodeId... lost) {
    Map<NodeId, Long> members = new HashMap<>();
    for (NodeId each : lost) {
      members.put(each, topology);
    }
    return new Losses(words, members, topology, shards);
  }

  private static Standing heard(Standing disk, Losses losses) {
    return disk.with(losses);
  }

  /** A disk with a copy of each shard of which its node is an owner. */
  private static Standing disk(long id, NodeId user, Topology installed) {
    Set<Integer> complete = new TreeSet<>();
    for (int shard = 0; shard < installed.shards().size(); shard++) {
      if (installed.shard(shard).owners().contains(user)) {
        complete.add(shard);
      }
    }
    return new Standing(
        new DiskId(id), null, List.of(user), installed, List.of(), complete, VectorClock.ZERO, 0);
  }

  private static List<DiskId> ids(long... ids) {
    return LongStream.of(ids).mapToObj(DiskId::new).toList();
  }

  private static Topology topology(long id, List<NodeId> members, Placement... placements) {
    List<Placement> shards = new ArrayList<>(List.of(placements));
    shards.add(new Placement(members, List.of()));
    return new Topology(id, members, shards);
  }

  private static Placement owned(NodeId... owners) {
    return new Placement(List.of(owners), List.of());
  }
}
