package io.canopygrid.gmu.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.recovery.RecoveryDecision.Founded;
import io.canopygrid.gmu.recovery.RecoveryDecision.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The part of its commits that a grid keeps when it is founded after a power cut. */
final class CutDecisionTest {
  private static final NodeId N1 = new NodeId(1);
  private static final NodeId N2 = new NodeId(2);
  private static final NodeId N3 = new NodeId(3);

  /** Shard 0 is at nodes 1 and 2, shard 1 at nodes 2 and 3, TOP at all. */
  private static final Topology LAST = topology(7);

  @Test
  void nothingIsCutWhereNoDiskLacksAnything() {
    assertThat(founded(disk(N1, false, 5, 0, 9), disk(N2, false, 4, 3, 9)).cut()).isNull();
  }

  @Test
  void ofEachShardIsKeptWhatAllItsOwnersHave() {
    Founded founded =
        founded(disk(N1, true, 5, 0, 9), disk(N2, false, 4, 3, 8), disk(N3, false, 0, 2, 7));
    assertThat(founded.cut()).isEqualTo(clock(4, 2, 7));
    assertThat(founded.owners().get(0)).as("nobody is behind").hasSize(2);
    assertThat(founded.seen()).as("transactions begin at the cut").isEqualTo(clock(4, 2, 7));
  }

  @Test
  void aShardWithoutAWatermarkKeepsNothingOfTheLastTopologies() {
    Founded founded = founded(disk(N1, true, 0, 0, 9), disk(N2, false, 4, 3, 8));
    assertThat(founded.cut()).isEqualTo(clock(0, 3, 8));
  }

  @Test
  void aDiskThatIsNoMemberDoesNotMatter() {
    Standing other =
        new Standing(
            new DiskId(99),
            null,
            List.of(new NodeId(9)),
            null,
            List.of(),
            Set.of(),
            VectorClock.ZERO,
            0,
            Losses.NONE,
            VectorClock.ZERO,
            VectorClock.ZERO,
            true,
            null);
    assertThat(founded(disk(N1, false, 5, 0, 9), disk(N2, false, 4, 3, 9), other).cut()).isNull();
  }

  @Test
  void aCutThatWasBegunIsNotExceeded() {
    Cut begun = new Cut(7, clock(3, 9, 9));
    Standing one = begun(N1, begun, List.of(topology(6)), 3, 0, 9);
    assertThat(founded(one, notInstalled(N2, 5, 4, 9)).cut()).isEqualTo(clock(3, 4, 9));
  }

  @Test
  void aCutThatAllMembersHaveMadeIsOver() {
    Cut begun = new Cut(7, clock(3, 9, 9));
    Standing one = begun(N1, begun, List.of(topology(6)), 3, 0, 9);
    Standing two = begun(N2, null, List.of(), 5, 4, 9);
    assertThat(founded(one, two).cut()).isNull();
  }

  @Test
  void aCopyThatLacksWhatWasForcedIsNotBelieved() {
    Standing old = disk(N1, true, 2, 0, 9);
    Standing other = disk(N2, true, 6, 4, 9, clock(3, 0, 0));
    Founded founded = founded(old, other, disk(N3, true, 0, 4, 9));
    assertThat(founded.owners().get(0)).isEqualTo(List.of(new DiskId(20)));
    assertThat(founded.cut()).isEqualTo(clock(6, 4, 9));
  }

  @Test
  void aDiskWhoseTopIsNotBelievedIsMissing() {
    Standing old = disk(N1, true, 6, 0, 1);
    Standing other = disk(N2, true, 6, 4, 9, clock(0, 0, 3));
    assertThat(of(List.of(old, other))).isInstanceOf(Waits.class);
    assertThat(founded(old, other, disk(N3, true, 0, 4, 9)).members())
        .isEqualTo(List.of(new DiskId(20), new DiskId(30)));
  }

  private static RecoveryDecision.@Nullable Answer of(List<Standing> standings) {
    return RecoveryDecision.of(standings, 1);
  }

  private static Founded founded(Standing... standings) {
    RecoveryDecision.Answer answer = of(List.of(standings));
    assertThat(answer).isInstanceOf(Founded.class);
    return (Founded) answer;
  }

  private static Standing disk(NodeId user, boolean mayLack, long... upTo) {
    return disk(user, mayLack, upTo[0], upTo[1], upTo[2], VectorClock.ZERO);
  }

  private static Standing disk(
      NodeId user, boolean mayLack, long first, long second, long top, VectorClock horizon) {
    return standing(user, List.of(), clock(first, second, top), horizon, mayLack, null);
  }

  private static Standing begun(
      NodeId user, @Nullable Cut cut, List<Topology> over, long first, long second, long top) {
    return standing(user, over, clock(first, second, top), VectorClock.ZERO, false, cut);
  }

  /** The disk of a member that has not installed the newest topology. */
  private static Standing notInstalled(NodeId user, long first, long second, long top) {
    return standing(
        user, topology(6), List.of(), clock(first, second, top), VectorClock.ZERO, false, null);
  }

  private static Standing standing(
      NodeId user,
      List<Topology> over,
      VectorClock upTo,
      VectorClock horizon,
      boolean mayLack,
      @Nullable Cut cut) {
    return standing(user, LAST, over, upTo, horizon, mayLack, cut);
  }

  private static Standing standing(
      NodeId user,
      Topology installed,
      List<Topology> over,
      VectorClock upTo,
      VectorClock horizon,
      boolean mayLack,
      @Nullable Cut cut) {
    Set<Integer> complete = user.equals(N1) ? Set.of(0, 2) : Set.of(0, 1, 2);
    return new Standing(
        new DiskId(10 * user.value()),
        null,
        List.of(user),
        installed,
        over,
        complete,
        clock(99, 99, 99),
        0,
        Losses.NONE,
        upTo,
        horizon,
        mayLack,
        cut);
  }

  private static Topology topology(long id) {
    List<Placement> shards = new ArrayList<>();
    shards.add(new Placement(List.of(N1, N2), List.of()));
    shards.add(new Placement(List.of(N2, N3), List.of()));
    shards.add(new Placement(List.of(N1, N2, N3), List.of()));
    return new Topology(id, List.of(N1, N2, N3), shards);
  }

  private static VectorClock clock(long... numbers) {
    VectorClock clock = VectorClock.ZERO;
    for (int shard = 0; shard < numbers.length; shard++) {
      clock = numbers[shard] == 0 ? clock : clock.with(shard, numbers[shard]);
    }
    return clock;
  }
}
