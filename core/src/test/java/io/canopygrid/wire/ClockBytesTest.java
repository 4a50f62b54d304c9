package io.canopygrid.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clocks come back as they were, whole or as what differs from another one. */
final class ClockBytesTest {
  private static final VectorClock BASE =
      VectorClock.of(new int[] {2, 9, 4_000}, new long[] {1, Long.MAX_VALUE, 500});

  @Test
  void aClockComesBackFromWhatDiffers() {
    Random random = new Random(1);
    for (int round = 0; round < 1_000; round++) {
      VectorClock clock = BASE;
      for (int i = 0; i < clock.size(); i++) {
        if (random.nextBoolean()) {
          clock =
              clock.with(clock.shardAt(i), 1 + (random.nextLong() >>> (1 + random.nextInt(62))));
        }
      }
      ByteWriter out = new ByteWriter(4);
      ClockBytes.writeDifference(out, clock, BASE);
      ByteReader in = new ByteReader(out.toBytes());
      assertThat(ClockBytes.readDifference(in, BASE)).isEqualTo(clock);
      in.end();
    }
  }

  @Test
  void theSameClockTakesAByte() {
    ByteWriter out = new ByteWriter(4);
    ClockBytes.writeDifference(out, BASE, BASE);
    assertThat(out.toBytes()).containsExactly(0);
    out = new ByteWriter(4);
    ClockBytes.writeDifference(out, VectorClock.ZERO, VectorClock.ZERO);
    assertThat(ClockBytes.readDifference(new ByteReader(out.toBytes()), VectorClock.ZERO))
        .isEqualTo(VectorClock.ZERO);
  }

  @Test
  void whatDiffersFromNoPlaceIsMalformed() {
    refused(4, 0, 0); // more places than there are
    refused(1, 3, 2); // a place behind the last one
    refused(2, 0, 0, 2, 0); // the second one as well
    refused(1, 0, 1); // a number below 1
    refused(1, 0); // no number
  }

  private static void refused(int... values) {
    ByteWriter out = new ByteWriter(4);
    for (int value : values) {
      out.writeByte(value);
    }
    assertThatThrownBy(() -> ClockBytes.readDifference(new ByteReader(out.toBytes()), BASE))
        .isInstanceOf(MalformedBytesException.class);
  }
}
