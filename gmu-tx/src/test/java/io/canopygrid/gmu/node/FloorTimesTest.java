package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FloorTimesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final FloorTimes times = new FloorTimes();

  private static VectorClock at(long number) {
    return VectorClock.ZERO.with(1, number);
  }

  private long age(long number, long floor, long second) {
    return times.ageNanos(at(number), at(floor), second * SECOND) / SECOND;
  }

  @Test
  void aClockIsAsOldAsTheLastFloorBelowIt() {
    for (int second = 1; second <= 20; second++) {
      times.note(at(second), second * SECOND);
    }
    assertThat(age(20, 20, 25)).isZero();
    assertThat(age(19, 20, 25)).isEqualTo(6);
    assertThat(age(3, 20, 25)).isEqualTo(22);
  }

  @Test
  void aFloorThatRestsDoesNotAge() {
    times.note(at(7), SECOND);
    times.note(at(7), 50 * SECOND);
    assertThat(age(7, 7, 100)).isZero();
  }

  @Test
  void beforeTheFirstNoteNothingIsOld() {
    assertThat(age(1, 7, 100)).isZero();
  }

  @Test
  void ofLongAgoSomeAreForgotten() {
    for (int second = 1; second <= 10_000; second++) {
      times.note(at(second), second * SECOND);
    }
    assertThat(age(1, 10_000, 10_000)).isEqualTo(9_999);
    assertThat(age(9_990, 10_000, 10_000)).isEqualTo(10);
    assertThat(age(5_000, 10_000, 10_000)).isBetween(5_000L, 9_999L);
  }
}
