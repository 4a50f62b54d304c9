package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReadQuery.Turn;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.spi.Fences;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reads that wait for their turn at a key (protocol.md, Turns). */
final class TurnsScenarioTest {
  private final Grid grid = new Grid(3, 2, Fences.NONE);

  /** Of the shard whose primary is node 1. */
  private final CompositeKey hot = grid.key(1, "hot");

  @Test
  void areTakenInTheOrderOfArrivalAndEachSeesWhatTheOneBeforeHasWritten() {
    grid.put(0, hot, "0");
    List<Counting> all = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      all.add(new Counting(i % 3, hot));
    }
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.stream().skip(i + 1).noneMatch(Counting::isAnswered)).isTrue();
      all.get(i).increment();
      assertThat(all.get(i).tx.outcome()).isInstanceOf(Outcome.Committed.class);
    }
    assertThat(grid.begin(0).get(hot)).isEqualTo("9");
    assertNothingIsLeft();
  }

  @Test
  void goOnFromWhoEndsWithoutWriting() {
    grid.put(0, hot, "0");
    Counting first = new Counting(0, hot);
    Counting second = new Counting(2, hot);
    Counting third = new Counting(1, hot);
    assertThat(second.isAnswered()).isFalse();
    second.tx.end();
    grid.settle();
    assertThat(third.isAnswered()).isFalse();
    first.tx.end();
    grid.settle();
    third.increment();
    assertThat(grid.begin(0).get(hot)).isEqualTo("1");
    assertNothingIsLeft();
  }

  @Test
  void goOnFromWhoWritesOtherKeysOnly() {
    grid.put(0, hot, "0");
    Counting first = new Counting(0, hot);
    Counting second = new Counting(2, hot);
    first.take();
    first.tx.write(grid.key(1, "other"), "x");
    assertThat(first.tx.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    assertThat(second.isAnswered()).isTrue();
    second.increment();
    assertNothingIsLeft();
  }

  @Test
  void areTakenBehindOthersOnlyWhereThereAreSome() {
    grid.put(0, hot, "0");
    Counting alone = new Counting(0, hot, Turn.BEHIND_OTHERS);
    Counting alsoAlone = new Counting(1, hot, Turn.BEHIND_OTHERS);
    assertThat(alone.isAnswered() && alsoAlone.isAnswered()).isTrue();
    alone.tx.end();
    alsoAlone.tx.end();
    Counting first = new Counting(2, hot);
    Counting second = new Counting(0, hot, Turn.BEHIND_OTHERS);
    Counting third = new Counting(1, hot, Turn.BEHIND_OTHERS);
    first.increment();
    assertThat(third.isAnswered()).isFalse();
    second.increment();
    third.increment();
    assertThat(grid.begin(0).get(hot)).isEqualTo("3");
    assertNothingIsLeft();
  }

  /** Else those who only read would wait for each other for ever. */
  @Test
  void areNotWaitedForBehindWhoDoesNotWrite() {
    grid.put(0, hot, "0");
    Counting first = new Counting(2, hot);
    List<Counting> behind = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      behind.add(new Counting(i % 3, hot, Turn.BEHIND_OTHERS));
    }
    Counting own = new Counting(0, hot);
    first.increment();
    assertThat(behind.stream().filter(Counting::isAnswered).count()).isEqualTo(1);
    behind.get(0).tx.end();
    grid.settle();
    assertThat(behind.stream().allMatch(Counting::isAnswered)).isTrue();
    own.increment();
    assertThat(grid.begin(0).get(hot)).isEqualTo("2");
    behind.forEach(one -> one.tx.end());
    assertNothingIsLeft();
  }

  /** The transaction would perhaps read an old value then, and others would wait for it. */
  @Test
  void areNotTakenBehindOthersByWhoHasReadBefore() {
    grid.put(0, hot, "0");
    Counting first = new Counting(2, hot);
    Grid.Tx tx = grid.begin(1);
    tx.get(grid.key(1, "other"));
    assertThat(tx.read(new ReadQuery.Get(hot, Turn.BEHIND_OTHERS))).isNotNull();
    tx.end();
    first.increment();
    assertNothingIsLeft();
  }

  @Test
  void haveABound() {
    grid.put(0, hot, "0");
    Counting slow = new Counting(0, hot);
    Counting second = new Counting(2, hot);
    Counting third = new Counting(1, hot);
    slow.take();
    grid.timeOut();
    grid.settle();
    assertThat(second.isAnswered()).isTrue();
    assertThat(third.isAnswered()).isFalse();
    second.increment();
    third.increment();
    slow.write();
    assertThat(slow.tx.commitAndSettle()).isInstanceOf(Outcome.Aborted.class);
    assertThat(grid.begin(0).get(hot)).isEqualTo("2");
    assertNothingIsLeft();
  }

  @Test
  void endWithACommitOfWhoDidNotAsk() {
    grid.put(0, hot, "0");
    Counting first = new Counting(0, hot);
    Counting second = new Counting(2, hot);
    first.take();
    assertThat(grid.put(1, hot, "10")).isInstanceOf(Outcome.Committed.class);
    second.increment();
    first.write();
    assertThat(first.tx.commitAndSettle()).isInstanceOf(Outcome.Aborted.class);
    assertThat(grid.begin(0).get(hot)).isEqualTo("11");
    assertNothingIsLeft();
  }

  @Test
  void beginWhenTheLockIsFreeAndTheVersionApplied() {
    grid.put(0, hot, "0");
    Grid.Tx other = grid.begin(0);
    other.get(hot);
    other.write(hot, "1");
    grid.hold(m -> m.message() instanceof Ack);
    other.commit();
    grid.settle();
    Counting waits = new Counting(2, hot);
    assertThat(waits.isAnswered()).isFalse();
    grid.letGo();
    waits.increment();
    assertThat(grid.begin(0).get(hot)).isEqualTo("2");
    assertNothingIsLeft();
  }

  @Test
  void beginWhenWhoHadTheLockHasAborted() {
    grid.put(0, hot, "0");
    CompositeKey elsewhere = grid.key(2, "elsewhere");
    grid.put(0, elsewhere, "0");
    Grid.Tx other = grid.begin(0);
    other.get(elsewhere);
    other.write(hot, "1");
    other.write(elsewhere, "1");
    grid.put(2, elsewhere, "2");
    grid.hold(m -> m.message() instanceof Prepare && m.to() == 2);
    other.commit();
    grid.settle();
    Counting waits = new Counting(2, hot);
    assertThat(waits.isAnswered()).isFalse();
    grid.letGo();
    assertThat(other.outcome()).isInstanceOf(Outcome.Aborted.class);
    waits.increment();
    assertThat(grid.begin(0).get(hot)).isEqualTo("1");
    assertNothingIsLeft();
  }

  /** In different orders: whoever waits too long for the other is passed by. */
  @Test
  void doNotBlockEachOtherForEver() {
    CompositeKey second = grid.key(2, "hot");
    grid.put(0, hot, "0");
    grid.put(0, second, "0");
    Counting a = new Counting(0, hot);
    Counting b = new Counting(1, second);
    a.take();
    b.take();
    long bWaits = b.tx.ask(new ReadQuery.Get(hot, Turn.OWN));
    long aWaits = a.tx.ask(new ReadQuery.Get(second, Turn.OWN));
    grid.settle();
    assertThat(grid.answers).doesNotContainKeys(aWaits, bWaits);
    grid.timeOut();
    grid.settle();
    assertThat(grid.answers).containsKeys(aWaits, bWaits);
    a.tx.end();
    b.tx.end();
    grid.settle();
    assertNothingIsLeft();
  }

  @Test
  void areForgottenWithATopologyAndAskedForAgain() {
    grid.put(0, hot, "0");
    Counting first = new Counting(0, hot);
    Counting second = new Counting(2, hot);
    first.take();
    grid.install(2, 3, 2);
    grid.settle();
    second.increment();
    first.write();
    assertThat(first.tx.commitAndSettle()).isInstanceOf(Outcome.Aborted.class);
    assertNothingIsLeft();
  }

  @Test
  void goOnFromANodeThatHasCrashed() {
    grid.put(0, hot, "0");
    Counting dead = new Counting(2, hot);
    Counting next = new Counting(0, hot);
    assertThat(dead.isAnswered()).isTrue();
    grid.crash(2);
    grid.expel(2, 2);
    grid.settle();
    next.increment();
    assertThat(grid.begin(0).get(hot)).isEqualTo("1");
    assertNothingIsLeft();
  }

  /** Whose "it is over" was lost, and nobody waits: forgotten at a tick. */
  @Test
  void areForgottenWhenNobodyWaits() {
    grid.put(0, hot, "0");
    Counting first = new Counting(0, hot);
    first.take();
    grid.hold(m -> m.message() instanceof Message.TurnEnded);
    first.tx.end();
    grid.settle();
    grid.wire.clear();
    assertThat(grid.nodes.get(1).status().shards()).anyMatch(shard -> !shard.isIdle());
    grid.timeOut();
    assertNothingIsLeft();
  }

  @Test
  void areAskedForTwiceOnly() {
    grid.put(0, hot, "0");
    Counting first = new Counting(0, hot);
    grid.hold(m -> m.message() instanceof Message.Read);
    Counting second = new Counting(2, hot);
    Grid.InFlight read = grid.wire.get(0);
    grid.hand(read);
    grid.hand(read);
    grid.letGo();
    first.increment();
    second.increment();
    assertThat(grid.begin(0).get(hot)).isEqualTo("2");
    assertNothingIsLeft();
  }

  @Test
  void areNotWaitedForWhereTooManyWait() {
    grid.put(0, hot, "0");
    List<Counting> all = new ArrayList<>();
    for (int i = 0; i < Turns.WAITING_MAX + 1; i++) {
      all.add(new Counting(1, hot));
    }
    Counting tooMany = new Counting(1, hot);
    assertThat(all.get(0).isAnswered()).isTrue();
    assertThat(all.stream().filter(Counting::isAnswered).count()).isEqualTo(1);
    assertThat(tooMany.isAnswered()).isTrue();
    tooMany.tx.end();
    all.forEach(one -> one.tx.end());
    assertNothingIsLeft();
  }

  /** A key that is locked waits; once nobody waits for it there is nothing to be remembered. */
  @Test
  void leaveNothingBehindWhereTheLockWasWaitedForInVain() {
    grid.put(0, hot, "0");
    Grid.Tx other = grid.begin(0);
    other.write(hot, "1");
    grid.hold(m -> m.message() instanceof Ack);
    other.commit();
    grid.settle();
    Counting waits = new Counting(2, hot);
    waits.tx.end();
    grid.letGo();
    assertThat(waits.isAnswered()).isFalse();
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    grid.timeOut();
    grid.settle();
    for (int i = 0; i < 3; i++) {
      grid.tick();
      grid.settle();
    }
    for (ProtocolNode node : grid.nodes) {
      for (ProtocolStatus.Shard shard : node.status().shards()) {
        assertThat(shard.reading()).as("%s", shard).isZero();
      }
    }
  }

  /** Increments a key, in turn. */
  private final class Counting {
    private final Grid.Tx tx;
    private final CompositeKey key;
    private final long request;
    private @Nullable String value;

    Counting(int node, CompositeKey key) {
      this(node, key, Turn.OWN);
    }

    Counting(int node, CompositeKey key, Turn turn) {
      this.tx = grid.begin(node);
      this.key = key;
      this.request = tx.ask(new ReadQuery.Get(key, turn));
      grid.settle();
    }

    boolean isAnswered() {
      return grid.answers.containsKey(request);
    }

    void take() {
      ReadAnswer.Got got = (ReadAnswer.Got) tx.answer(request);
      tx.reads.add(new KeyRead(key, got.seen()));
      value = Grid.text(got.value());
    }

    void write() {
      tx.write(key, String.valueOf(Integer.parseInt(String.valueOf(value)) + 1));
    }

    void increment() {
      take();
      write();
      tx.commitAndSettle();
    }
  }
}
