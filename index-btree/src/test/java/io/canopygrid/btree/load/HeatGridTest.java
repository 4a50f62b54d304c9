package io.canopygrid.btree.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.canopygrid.btree.load.LoadHistory.Step;
import io.canopygrid.btree.load.LoadHistory.Use;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Uses of subtrees, spread over ranges of keys and steps of time. */
final class HeatGridTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Ranges from 0, 10, 20 and 30 on, up to 40. */
  private final HeatQuestion question =
      new HeatQuestion(
          1, 3, List.of(new byte[0], new byte[] {10}, new byte[] {20}, new byte[] {30}), key(40));

  private final HeatGrid grid = new HeatGrid(question);

  private static byte[] key(int number) {
    return new byte[] {(byte) number};
  }

  private static Use use(int low, byte @Nullable [] high, long reads) {
    return new Use(1, key(low), high, reads, 2 * reads, 3 * reads);
  }

  private void step(long ageSeconds, Use... uses) {
    grid.add(List.of(new Step(0, 10, List.of(uses))), ageSeconds * SECOND);
  }

  private List<Double> reads(int step) {
    return IntStream.range(0, 4).mapToObj(range -> grid.reads(step, range)).toList();
  }

  @Test
  void aSubtreeIsInItsRange() {
    step(0, use(10, key(20), 50));
    assertThat(reads(0)).containsExactly(0.0, 5.0, 0.0, 0.0);
    assertThat(grid.writes(0, 1)).isEqualTo(10);
    assertThat(grid.conflicts(0, 1)).isEqualTo(15);
  }

  @Test
  void aWideSubtreeIsInSeveralRangesInEqualParts() {
    step(0, use(12, key(31), 90));
    assertThat(reads(0)).containsExactly(0.0, 3.0, 3.0, 3.0);
  }

  @Test
  void narrowSubtreesOfARangeAddUp() {
    step(0, use(21, key(22), 10), use(22, key(23), 20));
    assertThat(reads(0)).containsExactly(0.0, 0.0, 3.0, 0.0);
  }

  @Test
  void whatLiesBesideTheRangesIsLeftOut() {
    HeatGrid above = new HeatGrid(new HeatQuestion(1, 1, List.of(key(10), key(20)), key(30)));
    above.add(List.of(new Step(0, 10, List.of(use(1, key(10), 7), use(30, null, 7)))), 0);
    assertThat(above.reads(0, 0)).isZero();
    assertThat(above.reads(0, 1)).isZero();
  }

  @Test
  void theLastSubtreeOfAnIndexHasNoEnd() {
    step(0, use(25, null, 40));
    assertThat(reads(0)).containsExactly(0.0, 0.0, 2.0, 2.0);
  }

  @Test
  void stepsAreByAge() {
    step(9, use(10, key(20), 10));
    step(10, use(10, key(20), 20));
    step(29, use(10, key(20), 30));
    step(30, use(10, key(20), 40));
    assertThat(grid.reads(0, 1)).isEqualTo(1);
    assertThat(grid.reads(1, 1)).isEqualTo(2);
    assertThat(grid.reads(2, 1)).isEqualTo(3);
  }

  @Test
  void anotherIndexIsLeftOut() {
    step(0, new Use(2, key(10), key(20), 5, 5, 5));
    assertThat(reads(0)).containsOnly(0.0);
  }

  @Test
  void answersOfNodesAddUp() {
    step(0, use(10, key(20), 50));
    step(20, use(30, null, 11));
    HeatGrid sum = new HeatGrid(HeatQuestion.decode(question.encode()));
    sum.add(grid.encode());
    sum.add(grid.encode());
    for (int step = 0; step < 3; step++) {
      for (int range = 0; range < 4; range++) {
        assertThat(sum.reads(step, range)).isCloseTo(2 * grid.reads(step, range), within(1e-2));
        assertThat(sum.writes(step, range)).isCloseTo(2 * grid.writes(step, range), within(1e-2));
        assertThat(sum.conflicts(step, range))
            .isCloseTo(2 * grid.conflicts(step, range), within(1e-2));
      }
    }
  }

  @Test
  void anAnswerToAnotherQuestionIsRefused() {
    byte[] beyond = new ByteWriter(8).writeVarLong(1_000).writeVarLong(1).toBytes();
    assertThatThrownBy(() -> grid.add(beyond)).isInstanceOf(MalformedBytesException.class);
  }

  @Test
  void aQuestionHasAscendingRangesAndABoundedSize() {
    assertThatThrownBy(() -> new HeatQuestion(1, 1, List.of(key(2), key(2)), key(9)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HeatQuestion(1, 361, List.of(key(2)), key(9)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HeatQuestion(1, 1, List.of(), key(9)))
        .isInstanceOf(IllegalArgumentException.class);
    byte[] descending =
        new ByteWriter(16)
            .writeVarLong(1)
            .writeVarLong(1)
            .writeVarLong(2)
            .writeBytes(key(3))
            .writeBytes(key(2))
            .writeByte(0)
            .toBytes();
    assertThatThrownBy(() -> HeatQuestion.decode(descending))
        .isInstanceOf(MalformedBytesException.class);
  }
}
