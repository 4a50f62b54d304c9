package io.canopygrid.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recorder against its twin, a sorted array of everything recorded. */
final class LatencyRecorderTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void percentilesAreUpperBoundsAndNear(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int size : new int[] {1, 2, 3, 10, 99, 1_000}) {
      LatencyRecorder recorder = new LatencyRecorder();
      long[] twin = new long[size];
      for (int i = 0; i < size; i++) {
        twin[i] = random.nextLong(Long.MAX_VALUE) >> random.nextInt(63);
        recorder.record(twin[i]);
      }
      Arrays.sort(twin);
      Latency summary = recorder.summary();
      assertThat(summary.count()).as("seed=%d", seed).isEqualTo(size);
      assertThat(summary.maxNanos()).as("seed=%d", seed).isEqualTo(twin[size - 1]);
      assertNear(seed, summary.p50Nanos(), at(twin, 0.50));
      assertNear(seed, summary.p95Nanos(), at(twin, 0.95));
      assertNear(seed, summary.p99Nanos(), at(twin, 0.99));
    }
  }

  private static long at(long[] sorted, double fraction) {
    return sorted[(int) Math.ceil(sorted.length * fraction) - 1];
  }

  private static void assertNear(long seed, long actual, long wanted) {
    assertThat(actual).as("seed=%d wanted=%d", seed, wanted).isGreaterThanOrEqualTo(wanted);
    assertThat((double) actual)
        .as("seed=%d wanted=%d", seed, wanted)
        .isLessThanOrEqualTo(wanted * 1.04);
  }

  @Test
  void extremesHaveAPlace() {
    LatencyRecorder recorder = new LatencyRecorder();
    assertThat(recorder.summary()).isEqualTo(Latency.NONE);
    recorder.record(-5);
    assertThat(recorder.summary()).isEqualTo(new Latency(1, 0, 0, 0, 0));
    recorder.record(Long.MAX_VALUE);
    assertThat(recorder.summary().maxNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(recorder.summary().p99Nanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theCountsOfTwoMomentsTellWhatWasBetween() {
    LatencyRecorder recorder = new LatencyRecorder();
    recorder.record(5);
    assertThat(recorder.counts()).containsExactly(Map.entry(5L, 1L));
    recorder.record(5);
    recorder.record(1_000);
    assertThat(recorder.counts()).containsExactly(Map.entry(5L, 2L), Map.entry(1_007L, 1L));
  }

  @Test
  void countsWhatSeveralThreadsRecord() throws InterruptedException {
    LatencyRecorder recorder = new LatencyRecorder();
    Runnable work =
        () -> {
          for (int i = 0; i < 10_000; i++) {
            recorder.record(i);
          }
        };
    Thread[] threads = {new Thread(work), new Thread(work), new Thread(work)};
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(recorder.summary().count()).isEqualTo(30_000);
    assertThat(recorder.summary().maxNanos()).isEqualTo(9_999);
  }
}
