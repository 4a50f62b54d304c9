package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The time without arrivals, by a clock and a counter of the test. */
final class ArrivalsTest {
  private long arrived = 5;
  private long now = 1_000;

  @Test
  void theTimeBeginsAnewWithEachArrival() {
    Arrivals arrivals = new Arrivals(() -> arrived, () -> now);
    now += 30;
    assertThat(arrivals.nanosWithout()).isEqualTo(30);
    arrived++;
    now += 30;
    assertThat(arrivals.nanosWithout()).isZero();
    now += 7;
    assertThat(arrivals.nanosWithout()).isEqualTo(7);
  }

  @Test
  void onlyArrivalsSinceTheBeginningAreNew() {
    Arrivals arrivals = new Arrivals(() -> arrived, () -> now);
    assertThat(arrivals.haveComeWithin(10)).isFalse();
    arrived++;
    arrivals.begin();
    assertThat(arrivals.haveComeWithin(10)).isFalse();
    arrived++;
    assertThat(arrivals.haveComeWithin(10)).isTrue();
    now += 9;
    assertThat(arrivals.haveComeWithin(10)).isTrue();
    now++;
    assertThat(arrivals.haveComeWithin(10)).isFalse();
  }

  /** Where the clock passes its highest number, time goes on. */
  @Test
  void aClockMayOverflow() {
    now = Long.MAX_VALUE - 1;
    Arrivals arrivals = new Arrivals(() -> arrived, () -> now);
    now += 5;
    assertThat(arrivals.nanosWithout()).isEqualTo(5);
  }
}
