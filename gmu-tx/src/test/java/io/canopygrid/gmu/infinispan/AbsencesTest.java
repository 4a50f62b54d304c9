package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The notes on members that stop and will be back, by a clock that the test has. */
final class AbsencesTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);
  private static final NodeId THREE = new NodeId(3);
  private static final NodeId FOUR = new NodeId(4);
  private static final NodeId FIVE = new NodeId(5);
  private static final Set<NodeId> ALL = Set.of(ONE, TWO, THREE, FOUR);
  private static final long GRACE_MILLIS = 1_000;

  /** Near the end of the clock's range, as a clock may begin anywhere. */
  private long now = Long.MAX_VALUE - 10;

  private final Absences absences = new Absences(() -> now);

  private void stops(NodeId who) {
    assertThat(absences.stops(who, who.toString(), GRACE_MILLIS, ALL)).isTrue();
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void nobodyIsAwaitedAtFirst() {
    assertThat(absences.isAwaited()).isFalse();
    assertThat(absences.look(Set.of(ONE), Set.of(ONE))).isNull();
    assertThat(absences.forget()).isFalse();
  }

  @Test
  void aMemberThatStopsIsAwaitedWhileNothingElseChanges() {
    stops(FOUR);
    assertThat(absences.look(ALL, ALL)).as("it has not gone yet").isNull();
    pass(GRACE_MILLIS - 1);
    assertThat(absences.look(Set.of(ONE, TWO, THREE), ALL)).isNull();
    assertThat(absences.look(Set.of(ONE, TWO, THREE), Set.of(ONE, TWO, THREE))).isNull();
    assertThat(absences.isAwaited()).isTrue();
    assertThat(absences.nodes()).containsExactly(FOUR);
  }

  @Test
  void theWaitEndsWithTheGraceEvenIfNobodyLooks() {
    stops(FOUR);
    pass(GRACE_MILLIS);
    assertThat(absences.isAwaited()).isFalse();
    assertThat(absences.look(Set.of(ONE, TWO, THREE), ALL)).contains("time is over");
    assertThat(absences.look(Set.of(ONE, TWO, THREE), ALL)).as("told once").isNull();
    assertThat(absences.nodes()).isEmpty();
  }

  /** The message comes several times; the time is not to begin anew with each. */
  @Test
  void theFirstWordCounts() {
    stops(FOUR);
    pass(GRACE_MILLIS / 2);
    assertThat(absences.stops(FOUR, "again", GRACE_MILLIS, ALL)).isFalse();
    pass(GRACE_MILLIS / 2);
    assertThat(absences.isAwaited()).isFalse();
  }

  @Test
  void whoeverJoinsEndsTheWait() {
    stops(FOUR);
    Set<NodeId> now = Set.of(ONE, TWO, THREE, FIVE);
    assertThat(absences.look(now, now)).contains("joins");
    assertThat(absences.isAwaited()).isFalse();
  }

  @Test
  void anotherMemberThatIsLostEndsTheWait() {
    stops(FOUR);
    assertThat(absences.look(Set.of(ONE, TWO), ALL)).contains("lost").contains(THREE.toString());
    assertThat(absences.isAwaited()).isFalse();
  }

  @Test
  void aMemberThatIsThereAndIsNoneAnyMoreEndsTheWait() {
    stops(FOUR);
    assertThat(absences.look(Set.of(ONE, TWO, THREE), Set.of(ONE, TWO))).contains("lost");
  }

  @Test
  void twoAreAwaitedUntilTheLastOnesTimeIsOver() {
    stops(FOUR);
    pass(GRACE_MILLIS / 2);
    stops(THREE);
    Set<NodeId> left = Set.of(ONE, TWO);
    assertThat(absences.look(left, left)).isNull();
    pass(GRACE_MILLIS / 2);
    assertThat(absences.isAwaited()).isTrue();
    assertThat(absences.look(left, left)).isNull();
    pass(GRACE_MILLIS / 2);
    assertThat(absences.isAwaited()).isFalse();
    assertThat(absences.look(left, left)).contains("time is over");
  }

  /** The node that was awaited has joined, and the next one stops before anybody has looked. */
  @Test
  void aNodeThatHasJoinedBeforeEndsNoWait() {
    stops(FOUR);
    Set<NodeId> now = Set.of(ONE, TWO, THREE, FIVE);
    assertThat(absences.stops(THREE, "three", GRACE_MILLIS, now)).isTrue();
    assertThat(absences.nodes()).containsExactly(THREE);
    assertThat(absences.look(Set.of(ONE, TWO, FIVE), now)).isNull();
    assertThat(absences.isAwaited()).isTrue();
  }

  @Test
  void anotherWaitBeginsWithTheMembersOfItsTime() {
    stops(FOUR);
    assertThat(absences.forget()).isTrue();
    assertThat(absences.isAwaited()).isFalse();
    Set<NodeId> next = Set.of(ONE, TWO, THREE, FIVE);
    assertThat(absences.stops(FIVE, "five", GRACE_MILLIS, next)).isTrue();
    assertThat(absences.look(Set.of(ONE, TWO, THREE), Set.of(ONE, TWO, THREE))).isNull();
    assertThat(absences.isAwaited()).isTrue();
  }
}
