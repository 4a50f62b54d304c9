package io.canopygrid.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The control looks up keys that its kind prescribes. */
final class SizeStudyTest {
  @Test
  void theFewKeysAreFromAllOver() {
    long[] keys = LongStream.range(0, 6_400).map(i -> 6_399 - i).toArray();

    assertThat(SizeStudy.few(keys))
        .containsExactly(LongStream.range(0, 64).map(i -> 100 * i).toArray());
  }

  @Test
  void fewerThanFewAreAllOfThemOnce() {
    assertThat(SizeStudy.few(new long[] {7, 3, 7, 3, 5})).containsExactly(3, 5, 7);
  }
}
