package io.canopygrid.gmu.infinispan.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.wire.MessageCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Pace and windows of the state of shards, in a time of the test's own. */
final class StateFlowTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final NodeId ANN = new NodeId(1);
  private static final NodeId BOB = new NodeId(2);
  private static final int RATE = 1 << 20;

  private record Sent(NodeId to, Message message, long at, int bytes) {}

  private final List<Sent> wire = new ArrayList<>();
  private final TreeMap<Long, Runnable> alarms = new TreeMap<>();
  private long now = 17;

  /** The processor time that sending takes. */
  private long work;

  /** For how long it waits for one. */
  private long waits;

  private long worked = 5;

  private final StateFlow flow = flow(() -> worked);

  private StateFlow flow(LongSupplier workTime) {
    return new StateFlow(
        RATE,
        this::record,
        new GridLevel(),
        () -> now,
        workTime,
        (task, nanos) -> alarms.put(now + nanos, task));
  }

  private void record(NodeId to, ByteBuffer bytes) {
    Message message =
        MessageCodec.decode(
            bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    wire.add(new Sent(to, message, now, bytes.remaining()));
    worked += work;
    now += work + waits;
  }

  private void passUntil(long nanos) {
    while (!alarms.isEmpty() && alarms.firstKey() <= nanos) {
      now = Math.max(now, alarms.firstKey());
      alarms.pollFirstEntry().getValue().run();
    }
    now = nanos;
  }

  private static State chunk(long topology, int shard, long request, int number) {
    LogEntry entry = new LogEntry(1, new TxId(ANN, 1), VectorClock.ZERO);
    return chunk(topology, shard, request, number, List.of(entry));
  }

  private static State chunk(
      long topology, int shard, long request, int number, List<LogEntry> log) {
    return new State(
        topology,
        shard,
        request,
        number,
        false,
        List.of(),
        log,
        0,
        VectorClock.ZERO,
        List.of(),
        0,
        List.of(),
        1);
  }

  /** Of some ten thousand bytes. */
  private static State big(int shard, int number) {
    List<LogEntry> log = new ArrayList<>();
    for (int i = 1; i <= 2_000; i++) {
      log.add(new LogEntry(i, new TxId(ANN, i), VectorClock.ZERO));
    }
    return chunk(1, shard, 1, number, log);
  }

  private List<State> states() {
    return wire.stream()
        .filter(sent -> sent.message() instanceof State)
        .map(sent -> (State) sent.message())
        .toList();
  }

  private List<Integer> requests() {
    return wire.stream()
        .filter(sent -> sent.message() instanceof StateRequest)
        .map(sent -> ((StateRequest) sent.message()).shard())
        .toList();
  }

  @Test
  void aJoinerGetsNoMoreThanItAcknowledges() {
    for (int i = 0; i < 20; i++) {
      flow.send(ANN, chunk(1, 0, 1, i));
    }
    assertThat(states()).hasSize(StateQueue.IN_FLIGHT_MAX);

    for (int i = 0; i < 12; i++) {
      flow.acknowledged(ANN, StateAck.of(chunk(1, 0, 1, i)));
      assertThat(states()).hasSize(StateQueue.IN_FLIGHT_MAX + i + 1);
    }
    assertThat(states()).extracting(State::chunk).isSorted();
  }

  @Test
  void anAcknowledgementThatComesTwiceCountsOnce() {
    for (int i = 0; i < 20; i++) {
      flow.send(ANN, chunk(1, 0, 1, i));
    }
    flow.acknowledged(ANN, StateAck.of(chunk(1, 0, 1, 0)));
    flow.acknowledged(ANN, StateAck.of(chunk(1, 0, 1, 0)));
    flow.acknowledged(BOB, StateAck.of(chunk(1, 0, 1, 1)));

    assertThat(states()).hasSize(StateQueue.IN_FLIGHT_MAX + 1);
  }

  @Test
  void whatIsNeverAcknowledgedStopsNothingForEver() {
    for (int i = 0; i < 2 * StateQueue.IN_FLIGHT_MAX; i++) {
      flow.send(ANN, chunk(1, 0, 1, i));
    }
    passUntil(now + StateQueue.LOST_NANOS - 1);
    assertThat(states()).hasSize(StateQueue.IN_FLIGHT_MAX);

    passUntil(now + 2);
    assertThat(states()).hasSize(2 * StateQueue.IN_FLIGHT_MAX);
  }

  @Test
  void noMoreBytesInASecondThanAllowed() {
    long began = now;
    int chunks = 600;
    for (int i = 0; i < chunks; i++) {
      flow.send(i % 2 == 0 ? ANN : BOB, big(i % 5, i));
    }
    int acknowledged = 0;
    while (acknowledged < chunks) {
      passUntil(now + SECOND / 1_000);
      for (; acknowledged < wire.size(); acknowledged++) {
        State arrived = (State) wire.get(acknowledged).message();
        flow.acknowledged(wire.get(acknowledged).to(), StateAck.of(arrived));
      }
    }
    long bytes = wire.stream().mapToLong(Sent::bytes).sum();
    double seconds = (double) (now - began) / SECOND;

    assertThat(bytes).isGreaterThan(3L * RATE);
    assertThat(bytes / seconds).isBetween(0.9 * RATE, 1.1 * RATE);
  }

  @Test
  void restsManyTimesAsLongAsAChunkTakesOfAProcessor() {
    work = SECOND / 10_000;
    long began = now;
    for (int i = 0; i < StateQueue.IN_FLIGHT_MAX; i++) {
      flow.send(ANN, chunk(1, 0, 1, i));
    }
    passUntil(now + SECOND);

    long each = 1L + StateQueue.RESTS;
    assertThat(wire)
        .extracting(sent -> (sent.at() - began) / work)
        .isEqualTo(List.of(0L, each, 2 * each, 3 * each, 4 * each, 5 * each, 6 * each, 7 * each));
  }

  /** Where others have the processors it waits long for its own. */
  @Test
  void doesNotRestFromWaiting() {
    work = SECOND / 10_000;
    waits = SECOND;
    assertThat(restAfterOne(flow)).isEqualTo(StateQueue.RESTS * work);
  }

  @Test
  void noRestIsLongWhateverAChunkTakes() {
    work = SECOND;
    assertThat(restAfterOne(flow)).isEqualTo(StateQueue.REST_NANOS_MAX);
  }

  @Test
  void whereWorkIsNotMeasuredTheClockIsWhatThereIs() {
    waits = SECOND / 10_000;
    assertThat(restAfterOne(flow(() -> -1))).isEqualTo(StateQueue.RESTS * waits);
  }

  /** A new grid's nodes all have empty shards only, as many as a full one's. */
  @Test
  void whatHasNoEntriesIsSentWithoutRests() {
    work = SECOND / 1_000;
    for (int i = 0; i < StateQueue.IN_FLIGHT_MAX; i++) {
      flow.send(ANN, chunk(1, i, 1, 0, List.of()));
    }
    assertThat(states()).hasSize(StateQueue.IN_FLIGHT_MAX);
  }

  private long restAfterOne(StateFlow of) {
    of.send(ANN, chunk(1, 0, 1, 0));
    final long sent = now;
    of.send(ANN, chunk(1, 0, 1, 1));
    passUntil(now + SECOND);
    return wire.get(1).at() - sent;
  }

  /** A learner waits for its shards no longer than the join timeout. */
  @Test
  void ofALongMoveRestsTakeLessThanAMinute() {
    work = SECOND / 1_000;
    long began = now;
    int chunks = 20_000;
    for (int i = 0; i < chunks; i++) {
      flow.send(ANN, chunk(1, 0, 1, i));
      while (wire.size() <= i) {
        passUntil(now + SECOND / 1_000);
      }
      flow.acknowledged(ANN, StateAck.of((State) wire.get(i).message()));
    }

    assertThat(now - began - chunks * work).isBetween(30 * SECOND, 60 * SECOND);
  }

  @Test
  void theNextMoveRestsAgain() {
    work = SECOND / 10_000;
    flow.send(ANN, chunk(1, 0, 1, 0));
    passUntil(now + 70 * SECOND);
    flow.send(ANN, chunk(1, 0, 1, 1));
    flow.send(ANN, chunk(1, 0, 1, 2));
    assertThat(wire).as("none is left in this one").hasSize(3);

    flow.send(ANN, chunk(2, 0, 1, 0));
    flow.send(ANN, chunk(2, 0, 1, 1));
    assertThat(wire).hasSize(4);
    passUntil(now + SECOND);
    assertThat(wire).hasSize(5);
  }

  @Test
  void restsAreShorterWhereThereAreMoreProcessors() {
    assertThat(StateQueue.restsOn(1)).isEqualTo(359);
    assertThat(StateQueue.restsOn(2)).isEqualTo(179);
    assertThat(StateQueue.restsOn(16)).isEqualTo(21);
    assertThat(StateQueue.restsOn(400)).isZero();
  }

  @Test
  void otherMessagesDoNotWait() {
    flow.send(ANN, big(0, 0));
    flow.send(ANN, big(0, 1));
    for (int i = 2; i < 100; i++) {
      flow.send(ANN, big(0, i));
    }
    int before = wire.size();
    flow.send(ANN, new Message.FlushDone(1));

    assertThat(wire).hasSize(before + 1);
    assertThat(wire.get(before).message()).isEqualTo(new Message.FlushDone(1));
  }

  @Test
  void joinersAndTheirShardsTakeTurns() {
    for (int i = 0; i < 2 * StateQueue.IN_FLIGHT_MAX; i++) {
      flow.send(ANN, chunk(1, i < StateQueue.IN_FLIGHT_MAX ? 0 : 1 + i % 2, 1, i));
    }
    flow.send(BOB, chunk(1, 7, 1, 0));
    assertThat(wire.get(wire.size() - 1).to()).isEqualTo(BOB);

    for (int i = 0; i < 3; i++) {
      flow.acknowledged(ANN, StateAck.of(chunk(1, 0, 1, i)));
    }
    int size = states().size();
    assertThat(states().subList(size - 3, size)).extracting(State::shard).containsExactly(1, 2, 1);
  }

  @Test
  void aNewerRequestIsAnsweredInsteadOfTheOlder() {
    for (int i = 0; i < 20; i++) {
      flow.send(ANN, chunk(1, 0, 1, i));
    }
    flow.send(ANN, chunk(1, 0, 2, 0));
    flow.send(ANN, chunk(1, 0, 1, 20));
    flow.acknowledged(ANN, StateAck.of(chunk(1, 0, 1, 0)));
    flow.acknowledged(ANN, StateAck.of(chunk(1, 0, 1, 1)));

    assertThat(states()).hasSize(StateQueue.IN_FLIGHT_MAX + 1);
    assertThat(states().get(StateQueue.IN_FLIGHT_MAX).request()).isEqualTo(2);
  }

  @Test
  void whoHasLeftAndWhatIsOldIsForgotten() {
    for (int i = 0; i < 20; i++) {
      flow.send(ANN, chunk(1, 0, 1, i));
      flow.send(BOB, chunk(1, 0, 1, i));
    }
    flow.send(BOB, chunk(2, 1, 1, 0));
    flow.retain(2, Set.of(BOB));
    for (int i = 0; i < StateQueue.IN_FLIGHT_MAX; i++) {
      flow.acknowledged(ANN, StateAck.of(chunk(1, 0, 1, i)));
      flow.acknowledged(BOB, StateAck.of(chunk(1, 0, 1, i)));
    }

    assertThat(states()).hasSize(2 * StateQueue.IN_FLIGHT_MAX + 1);
    assertThat(states().get(states().size() - 1).topology()).isEqualTo(2);
  }

  @Test
  void aJoinerAsksForFewShardsAtATime() {
    for (int shard = 0; shard < 10; shard++) {
      flow.send(ANN, new StateRequest(1, shard, 1, UpTo.NOTHING));
    }
    assertThat(requests()).containsExactly(0, 1, 2, 3);

    flow.synced(1, 2);
    flow.synced(1, 2);
    flow.synced(0, 3);
    assertThat(requests()).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void aRequestThatWaitsIsReplacedByTheNextOfItsShard() {
    for (int shard = 0; shard < 5; shard++) {
      flow.send(ANN, new StateRequest(1, shard, 1, UpTo.NOTHING));
    }
    flow.send(BOB, new StateRequest(1, 4, 2, UpTo.NOTHING));
    flow.send(ANN, new StateRequest(1, 0, 2, UpTo.NOTHING));
    assertThat(requests()).as("what was asked for may be asked again").hasSize(5);

    flow.synced(1, 1);
    assertThat(wire.get(wire.size() - 1).to()).isEqualTo(BOB);
    assertThat(wire.get(wire.size() - 1).message())
        .isEqualTo(new StateRequest(1, 4, 2, UpTo.NOTHING));
  }

  @Test
  void aNewTopologyStartsOver() {
    for (int shard = 0; shard < 10; shard++) {
      flow.send(ANN, new StateRequest(1, shard, 1, UpTo.NOTHING));
    }
    for (int shard = 5; shard < 10; shard++) {
      flow.send(ANN, new StateRequest(2, shard, 2, UpTo.NOTHING));
    }
    flow.send(ANN, new StateRequest(1, 9, 1, UpTo.NOTHING));
    flow.synced(2, 5);

    assertThat(requests()).containsExactly(0, 1, 2, 3, 5, 6, 7, 8, 9);
  }

  @Test
  void anAcknowledgementIsReadAsItWasWritten() {
    StateAck ack = new StateAck(5, 3, 9, 2);
    byte[] bytes = ack.encode();

    assertThat(StateAck.decode(bytes, 0, bytes.length)).isEqualTo(ack);
    assertThat(StateAck.decode(bytes, 0, bytes.length - 1)).isNull();
  }
}
