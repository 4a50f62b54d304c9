package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RunningTransactionsTest {
  private static final int READERS = 3;

  private final RunningTransactions running = new RunningTransactions();

  private static VectorClock at(long number) {
    return VectorClock.ZERO.with(0, number);
  }

  @Test
  void eachBeginsAtTheJoinOfItsTokenAndTheFloorWithAHandleOfItsOwn() {
    VectorClock token = VectorClock.ZERO.with(1, 7);

    Begun first = running.begin(token, () -> at(3));
    Begun second = running.begin(at(5), () -> at(3));
    Begun pinned = running.begin(at(2), true);

    assertThat(first.clock()).isEqualTo(token.with(0, 3));
    assertThat(second.clock()).isEqualTo(at(5));
    assertThat(pinned.clock()).isEqualTo(at(2));
    assertThat(List.of(first.transaction(), second.transaction(), pinned.transaction()))
        .doesNotHaveDuplicates();
    assertThat(running.size()).isEqualTo(3);
  }

  @Test
  void theOldestIsAsOldAsTheTimeSinceTheTickBeforeIt() {
    long start = Long.MAX_VALUE - 5; // a time of System.nanoTime() can run over
    assertThat(running.oldestNanos()).isZero();
    running.tick(start);
    Begun first = running.begin(at(1), true);
    running.tick(start + 10);
    running.begin(at(2), true);
    running.tick(start + 25);
    assertThat(running.oldestNanos()).isEqualTo(25);
    running.end(first.transaction());
    assertThat(running.oldestNanos()).isEqualTo(15);
    running.clear();
    assertThat(running.oldestNanos()).isZero();
  }

  @Test
  void theLowestClockInUseIsThatOfAllWhoRun() {
    List<Begun> all = new ArrayList<>();
    for (int number = 10; number < 110; number++) {
      all.add(running.begin(at(number), true));
    }
    assertThat(running.meet(at(200))).isEqualTo(at(10));
    assertThat(running.meet(at(5))).isEqualTo(at(5));

    running.end(all.get(0).transaction());
    assertThat(running.meet(at(200))).isEqualTo(at(11));
    assertThat(running.enter(all.get(1).transaction(), at(11), 7)).isTrue();
    running.advance(all.get(1).transaction(), 7, at(150));
    assertThat(running.meet(at(200))).isEqualTo(at(12));
    running.clear();
    assertThat(running.meet(at(200))).isEqualTo(at(200));
  }

  @Test
  void onlyWhoHasNotEnteredTheLaneEndsWithoutIt() {
    long reader = running.begin(at(1), true).transaction();
    long asker = running.begin(at(1), true).transaction();

    assertThat(running.enter(asker, at(2), RunningTransactions.NONE)).isTrue();
    assertThat(running.tryEnd(asker)).isFalse();
    assertThat(running.tryEnd(reader)).isTrue();
    assertThat(running.tryEnd(reader)).isFalse();
    assertThat(running.meet(at(9))).isEqualTo(at(2));

    running.end(asker);
    assertThat(running.size()).isZero();
  }

  @Test
  void whoHasEndedDoesNotEnterTheLaneAnyMore() {
    long transaction = running.begin(at(1), true).transaction();
    assertThat(running.tryEnd(transaction)).isTrue();

    assertThat(running.enter(transaction, at(2), 7)).isFalse();
    running.advance(transaction, 7, at(3));
    assertThat(running.size()).isZero();
  }

  @Test
  void theAnswerToAReadThatWasGivenUpRaisesNothing() {
    long transaction = running.begin(at(1), true).transaction();
    running.enter(transaction, at(1), 7);
    running.enter(transaction, at(1), 8);
    running.advance(transaction, 7, at(5));
    assertThat(running.meet(at(9))).isEqualTo(at(1));
    running.advance(transaction, 8, at(4));
    assertThat(running.meet(at(9))).isEqualTo(at(4));
    running.enter(transaction, at(4), RunningTransactions.NONE);
    running.advance(transaction, 8, at(6));
    assertThat(running.meet(at(9))).isEqualTo(at(4));
  }

  @Test
  void whoSeesTheFloorRiseBeginsAtTheRaisedOne() {
    Iterator<Integer> floors = List.of(3, 5, 5, 5).iterator();

    Begun begun = running.begin(VectorClock.ZERO, () -> at(floors.next()));

    assertThat(begun.clock()).isEqualTo(at(5));
    assertThat(running.meet(at(9))).isEqualTo(at(5));
    assertThat(running.size()).isEqualTo(1);
  }

  /** A horizon above the clock of one that runs would take from it what it reads. */
  @Test
  void whoBeginsWhileTheFloorRisesIsFoundOrBeginsAtTheRaisedFloor() throws Exception {
    HorizonTracker horizon = new HorizonTracker();
    Lowest lowest = new Lowest();
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(READERS);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(() -> beginAndEnd(horizon, lowest, begun, done)));
      }
      begun.await();
      for (int number = 1; number <= 200_000; number++) {
        horizon.raiseFloor(at(number));
        lowest.number = running.meet(horizon.floor()).get(0);
      }
      done.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    assertThat(running.size()).isZero();
  }

  /** The lowest clock that the protocol found in use last. */
  private static final class Lowest {
    volatile long number;
  }

  private void beginAndEnd(
      HorizonTracker horizon, Lowest lowest, CountDownLatch begun, AtomicBoolean done) {
    while (!done.get()) {
      Begun one = running.begin(VectorClock.ZERO, horizon::floor);
      for (int look = 0; look < 20; look++) {
        assertThat(lowest.number).isLessThanOrEqualTo(one.clock().get(0));
      }
      assertThat(running.tryEnd(one.transaction())).isTrue();
      begun.countDown();
    }
  }
}
