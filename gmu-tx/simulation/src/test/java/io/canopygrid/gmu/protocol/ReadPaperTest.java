package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.ReadReply;
import io.canopygrid.gmu.spi.Fences;
import org.junit.jupiter.api.Test;

/** The versions that a transaction sees (protocol.md, Read; GMU, ICDCS 2012, section III-C). */
final class ReadPaperTest {
  private final Grid grid = new Grid(3, 1, Fences.NONE);
  private final CompositeKey a = grid.key(0, "a");
  private final CompositeKey b = grid.key(1, "b");

  private void putBoth(String value) {
    Grid.Tx tx = grid.begin(2);
    tx.write(a, value);
    tx.write(b, value);
    assertThat(tx.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void theFirstReadOfAllSeesWhateverWasCommitted() {
    putBoth("1");
    Grid.Tx tx = grid.begin(2);
    putBoth("2");
    assertThat(tx.get(a)).isEqualTo("2");
  }

  @Test
  void laterReadsBelongToTheSnapshotOfTheFirst() {
    putBoth("1");
    Grid.Tx tx = grid.begin(2);
    assertThat(tx.get(a)).isEqualTo("1");
    putBoth("2");
    assertThat(tx.get(b)).isEqualTo("1");
    assertThat(tx.get(a)).isEqualTo("1");
  }

  @Test
  void theFirstReadOfAShardSeesNewerCommitsThatTheSnapshotDoesNotExclude() {
    putBoth("1");
    Grid.Tx tx = grid.begin(2);
    assertThat(tx.get(a)).isEqualTo("1");
    grid.put(2, b, "alone");
    assertThat(tx.get(b)).isEqualTo("alone");
  }

  @Test
  void whatFollowsAnUnseenCommitIsUnseenToo() {
    putBoth("1");
    Grid.Tx tx = grid.begin(2);
    assertThat(tx.get(a)).isEqualTo("1");
    grid.put(2, a, "2");
    Grid.Tx follower = grid.begin(2);
    assertThat(follower.get(a)).isEqualTo("2");
    follower.write(b, "after 2");
    assertThat(follower.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    assertThat(tx.get(b)).isEqualTo("1");
  }

  @Test
  void aReadWaitsForACommitThatItsSnapshotKnows() {
    Grid.Tx writer = grid.begin(2);
    writer.write(a, "1");
    writer.write(b, "1");
    writer.commit();
    grid.hold(m -> m.message() instanceof Decide && m.to() == 1);
    grid.settle();
    Grid.Tx reader = grid.begin(2);
    assertThat(reader.get(a)).isEqualTo("1");
    long request = reader.ask(new ReadQuery.Get(b));
    grid.settle();
    assertThat(grid.answers).doesNotContainKey(request);
    grid.letGo();
    assertThat(((ReadAnswer.Got) reader.answer(request)).value()).isEqualTo(Grid.bytes("1"));
  }

  @Test
  void aTokenMakesAnotherNodeWaitForWhatItsClientSaw() {
    Grid.Tx writer = grid.begin(0);
    writer.write(b, "1");
    VectorClock token = ((Outcome.Committed) writer.commitAndSettle()).clock();
    Grid.Tx reader = grid.begin(2, token);
    assertThat(reader.clock).isEqualTo(token);
    assertThat(reader.get(b)).isEqualTo("1");
  }

  @Test
  void onlyTheFirstAnswerToARequestCounts() {
    Grid.Tx reader = grid.begin(2);
    long request = reader.ask(new ReadQuery.Get(a));
    Grid.InFlight question = grid.wire.get(0);
    grid.hand(question);
    Grid.InFlight early = grid.wire.get(1);
    grid.put(2, b, "x");
    putBoth("2");
    grid.settle();
    ReadAnswer.Got first = (ReadAnswer.Got) reader.answer(request);
    assertThat(first.value()).isNull();
    assertThat(early.message()).isInstanceOf(ReadReply.class);
    grid.hand(early);
    assertThat(grid.answers).isEmpty();
  }

  @Test
  void aReadBelowTheHorizonIsRefusedAndNeverAnswered() {
    for (int i = 0; i < 3; i++) {
      putBoth("" + i);
      grid.tick();
      grid.settle();
    }
    Grid.Tx tx = grid.begin(2);
    tx.clock = VectorClock.ZERO;
    assertThat(tx.read(new ReadQuery.Get(a))).isInstanceOf(ReadAnswer.TooOld.class);
  }

  @Test
  void aRunningTransactionHoldsTheHorizonBack() {
    putBoth("1");
    Grid.Tx old = grid.begin(2);
    assertThat(old.get(a)).isEqualTo("1");
    for (int i = 2; i < 6; i++) {
      putBoth("" + i);
      grid.tick();
      grid.settle();
      grid.tick();
      grid.settle();
    }
    assertThat(old.get(b)).isEqualTo("1");
    assertThat(grid.nodes.get(1).status().shards().get(0).logged()).isEqualTo(4);
    old.end();
    grid.tick();
    grid.settle();
    assertThat(grid.nodes.get(1).status().shards().get(0).logged()).isZero();
    assertThat(grid.begin(0).get(b)).isEqualTo("5");
  }

  @Test
  void aNodeThatNeverSawAShardDoesNotHoldItsHorizonBack() {
    for (int i = 0; i < 5; i++) {
      grid.put(1, b, "" + i);
    }
    for (int i = 0; i < 3; i++) {
      grid.tick();
      grid.settle();
    }
    assertThat(grid.nodes.get(1).status().shards().get(0).logged()).isZero();
  }
}
