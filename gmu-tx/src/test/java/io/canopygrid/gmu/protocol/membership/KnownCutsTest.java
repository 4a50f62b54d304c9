package io.canopygrid.gmu.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.message.Cut;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whom the cuts of a grid concern: the clocks that may have seen what was cut. */
final class KnownCutsTest {
  private static final VectorClock KEPT = VectorClock.ZERO.with(0, 105).with(1, 110);
  private static final Cut CUT = new Cut(3, KEPT);

  private final KnownCuts cuts = new KnownCuts();

  @Test
  void aClockAtTheCutHasSeenNothingThatWasCut() {
    cuts.learn(List.of(CUT));
    assertThat(lostBy(KEPT)).isNull();
    assertThat(lostBy(VectorClock.ZERO)).isNull();
  }

  @Test
  void aClockAboveItInOneShardMayHave() {
    cuts.learn(List.of(CUT));
    assertThat(lostBy(VectorClock.ZERO.with(0, 106))).isEqualTo(CUT);
    assertThat(lostBy(KEPT.with(2, 1))).as("of this shard nothing is kept").isEqualTo(CUT);
  }

  @Test
  void aClockOfTheNewGridHasNot() {
    cuts.learn(List.of(CUT));
    assertThat(lostBy(KEPT.with(0, 301))).isNull();
    assertThat(lostBy(KEPT.with(0, 299))).as("the last number below its epoch").isEqualTo(CUT);
  }

  /** Where nothing was written into a shard in between, a second cut keeps it up to there. */
  @Test
  void theBeginningOfAnEpochIsNoCommit() {
    VectorClock begin = KEPT.with(0, 300);
    cuts.learn(List.of(CUT, new Cut(4, begin)));
    assertThat(lostBy(begin)).as("transactions after the second cut begin with this").isNull();
  }

  @Test
  void aShardOfWhichNothingIsCutConcernsNobody() {
    cuts.learn(List.of(new Cut(3, KEPT.with(2, Cut.UNLIMITED))));
    assertThat(lostBy(KEPT.with(2, 250))).isNull();
  }

  @Test
  void theLastCutIsTold() {
    Cut later = new Cut(5, KEPT);
    assertThat(cuts.learn(List.of(later, CUT))).isTrue();
    assertThat(cuts.learn(List.of(CUT))).isFalse();
    assertThat(cuts.all()).isEqualTo(List.of(CUT, later));
    assertThat(lostBy(VectorClock.ZERO.with(0, 106))).isEqualTo(later);
    assertThat(lostBy(KEPT.with(0, 301))).as("only the later one has taken this").isEqualTo(later);
  }

  private @Nullable Cut lostBy(VectorClock clock) {
    return cuts.lostBy(clock, topology -> 100 * topology);
  }
}
