package io.canopygrid.gmu.protocol.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import org.junit.jupiter.api.Test;

/** The reads of hot keys, as people are told of them. */
final class HotKeysOfStreamsTest {
  private static final CompositeKey KEY = CompositeKey.of(17, new byte[] {1});
  private static final long SECOND = 1_000_000_000L;
  private static final int MEMBERS = 3;

  private final HotStreams streams = new HotStreams(HotLimits.ON, key -> 2);

  private ReadRate rate(long nowNanos) {
    return streams.hotKeys(nowNanos).get(0).rate();
  }

  @Test
  void aKeyHasARateFromTheMomentItIsHot() {
    streams.keeps(new NodeId(1), 0);
    streams.read(KEY, 64, MEMBERS, 0);
    streams.read(KEY, 10, MEMBERS, 10_000_000L);
    streams.atCopies(KEY, 4);

    assertThat(rate(10_000_000L)).as("of a whole window").isEqualTo(new ReadRate(200, 80));
    assertThat(rate(100_000_000L)).isEqualTo(new ReadRate(100, 40));
    assertThat(streams.hotKeys(0).get(0).keepers()).as("nothing was pushed").isEmpty();
  }

  @Test
  void theRateIsThatOfTheLastPeriodThatHasEnded() {
    streams.keeps(new NodeId(1), 0);
    streams.read(KEY, 64, MEMBERS, 0);
    streams.read(KEY, 1_000, MEMBERS, 1);
    streams.atCopies(KEY, 600);
    streams.tick(MEMBERS, 2 * SECOND);

    assertThat(rate(2 * SECOND)).isEqualTo(new ReadRate(500, 300));
    streams.read(KEY, 5, MEMBERS, 2 * SECOND + 1);
    assertThat(rate(2 * SECOND + 1)).isEqualTo(new ReadRate(500, 300));
  }

  @Test
  void copiesAnswerNoMoreThanWasRead() {
    streams.keeps(new NodeId(1), 0);
    streams.read(KEY, 64, MEMBERS, 0);
    streams.atCopies(KEY, 64);

    assertThat(rate(SECOND)).as("these reads made it hot").isEqualTo(new ReadRate(0, 0));
  }
}
