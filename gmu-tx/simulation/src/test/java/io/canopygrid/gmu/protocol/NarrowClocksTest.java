package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.Flush;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.ReadReply;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import io.canopygrid.gmu.protocol.membership.FlushRound;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.wire.MessageCodec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of clocks that go into messages (protocol.md, Clocks in messages). */
final class NarrowClocksTest {
  private static final int SHARD = 7;
  private static final long TOPOLOGY = 12;
  private static final int VALUE_BYTES = 1_000;
  private static final int KEY_BYTES = 24;

  private static final NodeId SELF = new NodeId(0x123456789abcdefL);

  private final HorizonTracker horizon = new HorizonTracker();
  private final FlushRound flush = new FlushRound();
  private final NarrowClocks clocks = new NarrowClocks(horizon, flush);

  /** Commits of many epochs in every shard. */
  private static VectorClock everywhere(int shards, long counter) {
    int[] all = new int[shards];
    long[] numbers = new long[shards];
    for (int i = 0; i < shards; i++) {
      all[i] = i;
      numbers[i] = ((1 + i % TOPOLOGY) << 40) + counter + i;
    }
    return VectorClock.of(all, numbers);
  }

  private void complete() {
    flush.start(
        SELF, List.of(SELF), new Flush(TOPOLOGY, List.of(), VectorClock.ZERO, List.of()), 0);
    assertThat(flush.completes()).isTrue();
  }

  private static Read read(VectorClock clock, ShardSet hasRead, boolean whole) {
    ReadQuery query = new ReadQuery.Get(CompositeKey.of(-77, new byte[KEY_BYTES]));
    return new Read(TOPOLOGY, 1_000_000, SHARD, query, clock, hasRead, whole);
  }

  private static Vote done(VectorClock clock) {
    return new Vote(new TxId(SELF, 4), SHARD, TOPOLOGY, clock, null, 5);
  }

  private static int bytes(Message message) {
    return MessageCodec.encode(message).remaining();
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 8_000})
  void aReadAndItsAnswerAreSmallOnAnyNumberOfShards(int shards) {
    horizon.raise(everywhere(shards, 1_000_000));
    complete();
    VectorClock snapshot = everywhere(shards, 1_100_000);
    ShardSet hasRead = ShardSet.EMPTY.with(1).with(shards - 1);
    assertThat(clocks.mayAsk(snapshot)).isTrue();
    Read asked = read(clocks.asked(snapshot, SHARD, hasRead), hasRead, false);
    ReadAnswer value =
        new ReadAnswer.Got(new byte[VALUE_BYTES], new Seen(new TxId(SELF, 4_000_000_000L), false));
    VectorClock shown = snapshot.with(SHARD, snapshot.get(SHARD) + 1_000);
    LocalRead answer = new LocalRead(SHARD, asked.clock().join(shown.on(hasRead, SHARD)), value);
    ReadReply reply = new ReadReply(1_000_000, SHARD, clocks.answered(asked, answer), value, false);
    assertThat(bytes(asked) + bytes(reply) - KEY_BYTES - VALUE_BYTES).isLessThan(200);
    assertThat(bytes(read(snapshot, hasRead, true))).isGreaterThan(7 * shards);
  }

  @Test
  void anAnswerHasWhatItsReaderLacks() {
    horizon.raise(VectorClock.ZERO.with(1, 10).with(2, 10).with(SHARD, 10));
    VectorClock asked = VectorClock.ZERO.with(3, 20).with(SHARD, 15);
    VectorClock after = asked.with(1, 9).with(2, 11).with(4, 1).with(SHARD, 17);
    LocalRead answer = new LocalRead(SHARD, after, new ReadAnswer.Got(null, Seen.ABSENT));
    VectorClock told = clocks.answered(read(asked, ShardSet.EMPTY.with(3), false), answer);
    assertThat(told).isEqualTo(VectorClock.ZERO.with(2, 11).with(4, 1).with(SHARD, 17));
    assertThat(clocks.answered(read(asked, ShardSet.EMPTY.with(3), true), answer)).isEqualTo(after);
  }

  @Test
  void anAnswerSaysWhereTheShardIsFixedThoughTheReaderKnowsIt() {
    VectorClock asked = VectorClock.ZERO.with(SHARD, 15);
    LocalRead answer = new LocalRead(SHARD, asked, new ReadAnswer.Got(null, Seen.ABSENT));
    assertThat(clocks.answered(read(asked, ShardSet.EMPTY, false), answer)).isEqualTo(asked);
    LocalRead empty = new LocalRead(SHARD, VectorClock.ZERO, answer.answer());
    assertThat(clocks.answered(read(VectorClock.ZERO, ShardSet.EMPTY, false), empty))
        .isEqualTo(VectorClock.ZERO);
  }

  @Test
  void aReadThatMayBeTooOldHasItsWholeClock() {
    VectorClock old = VectorClock.ZERO.with(1, 9);
    assertThat(clocks.mayAsk(old)).as("no flush").isFalse();
    complete();
    assertThat(clocks.mayAsk(old)).isTrue();
    horizon.raise(VectorClock.ZERO.with(1, 10));
    assertThat(clocks.mayAsk(old)).isFalse();
    assertThat(clocks.mayAsk(VectorClock.ZERO.with(1, 10))).isTrue();
    horizon.reports(VectorClock.ZERO.with(1, 11));
    assertThat(clocks.mayAsk(VectorClock.ZERO.with(1, 10))).as("others may be there").isFalse();
    assertThat(clocks.mayAsk(VectorClock.ZERO.with(1, 11))).isTrue();
  }

  @Test
  void aGridOfTheLevelBeforeHasWholeClocks() {
    complete();
    VectorClock clock = VectorClock.ZERO.with(1, 9);
    VectorClock snapshot = VectorClock.ZERO.with(1, 8);
    clocks.allow(() -> false);
    assertThat(clocks.mayAsk(clock)).isFalse();
    assertThat(clocks.committed(done(clock.with(2, 7)), snapshot))
        .isEqualTo(done(clock.with(2, 7)));
    clocks.allow(() -> true);
    assertThat(clocks.mayAsk(clock)).isTrue();
    assertThat(clocks.committed(done(clock.with(2, 7)), clock))
        .isEqualTo(done(VectorClock.ZERO.with(2, 7)));
  }
}
