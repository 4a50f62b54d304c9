package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Writes to the log are as fast as the engine, and wait a little each. */
final class FeedPaceTest {
  private static final int WRITE_BYTES = 4_000;
  private static final int WRITES = 10_000;

  private final FeedPace pace = new FeedPace();

  /** All waits of many writes, in nanoseconds. */
  private long waits(int behind) {
    long all = 0;
    for (int i = 0; i < WRITES; i++) {
      long nanos = pace.logged(WRITE_BYTES, behind);
      assertThat(nanos == 0 || nanos >= TimeUnit.MILLISECONDS.toNanos(1)).isTrue();
      assertThat(nanos).isLessThan(TimeUnit.MILLISECONDS.toNanos(10));
      all += nanos;
    }
    return all;
  }

  @Test
  void nothingWaitsWhereTheEngineKeepsUp() {
    assertThat(waits(0)).isZero();
  }

  @Test
  void theLogGrowsAsFastAsTheEngineTookTheLastSegments() {
    pace.fed(10L * WRITE_BYTES, TimeUnit.MILLISECONDS.toNanos(2));
    long each = TimeUnit.MILLISECONDS.toNanos(2) / 10;
    assertThat(waits(1)).isBetween(each * (WRITES - 5), each * WRITES);
    assertThat(waits(2)).isBetween(each * 2 * (WRITES - 5), each * 2 * WRITES);
    assertThat(waits(0)).isZero();
  }

  @Test
  void noWriteWaitsLong() {
    pace.fed(1, TimeUnit.SECONDS.toNanos(1));
    assertThat(pace.logged(WRITE_BYTES, 2)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    pace.fed(1, 1);
    assertThat(pace.logged(1, 1)).as("what was put off is given up").isZero();
  }
}
