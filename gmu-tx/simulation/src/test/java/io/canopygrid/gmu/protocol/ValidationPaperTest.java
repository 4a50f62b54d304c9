package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.spi.Fences;
import org.junit.jupiter.api.Test;

/** Which transactions may commit (protocol.md, Prepare; GMU, ICDCS 2012, section III-D). */
final class ValidationPaperTest {
  private final Grid grid = new Grid(2, 1, Fences.NONE);
  private final CompositeKey a = grid.key(0, "a");
  private final CompositeKey b = grid.key(1, "b");

  private static void assertCommitted(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
  }

  @Test
  void whoReadWhatWasOverwrittenSinceAborts() {
    assertCommitted(grid.put(0, b, "1"));
    Grid.Tx tx = grid.begin(0);
    tx.get(b);
    tx.write(a, "x");
    assertCommitted(grid.put(1, b, "2"));
    tx.commitAndSettle();
    assertThat(tx.reason()).isEqualTo(AbortReason.STALE_READ);
    assertThat(((Outcome.Aborted) tx.outcome()).key()).isEqualTo(b);
    assertThat(grid.begin(1).get(a)).isNull();
  }

  @Test
  void blindWritesDoNotConflict() {
    Grid.Tx first = grid.begin(0);
    Grid.Tx second = grid.begin(1);
    first.write(b, "1");
    second.write(b, "2");
    first.commit();
    second.commit();
    grid.settle();
    assertCommitted(first.outcome());
    assertCommitted(second.outcome());
  }

  @Test
  void aScannedRangeHoldsExactlyTheKeysSeen() {
    Grid.Tx scanner = grid.begin(0);
    scanner.scan(grid.kcl(1), "a", "m");
    scanner.write(a, "x");
    assertCommitted(grid.put(1, grid.key(1, "phantom"), "1"));
    assertCommitted(scanner.commitAndSettle());

    Grid.Tx second = grid.begin(0);
    second.scan(grid.kcl(1), "a", null);
    second.write(a, "y");
    assertCommitted(grid.put(1, grid.key(1, "q"), "1"));
    second.commitAndSettle();
    assertThat(second.reason()).isEqualTo(AbortReason.STALE_READ);
    assertThat(((Outcome.Aborted) second.outcome()).key()).isEqualTo(grid.key(1, "q"));
  }

  @Test
  void aTombstoneDoesNotMatchAbsent() {
    Grid.Tx tx = grid.begin(0);
    assertThat(tx.get(b)).isNull();
    tx.write(a, "x");
    assertCommitted(grid.put(1, b, "1"));
    assertCommitted(grid.put(1, b, null));
    tx.commitAndSettle();
    assertThat(tx.reason()).isEqualTo(AbortReason.STALE_READ);
  }

  @Test
  void noVersionMatchesATombstoneThatWasSeenAndDroppedSince() {
    assertCommitted(grid.put(1, b, "1"));
    assertCommitted(grid.put(1, b, null));
    Grid.Tx tx = grid.begin(0);
    assertThat(tx.get(b)).isNull();
    assertThat(tx.reads.get(0).seen().tombstone()).isTrue();
    for (int i = 0; i < 3; i++) {
      grid.tick();
      grid.settle();
    }
    assertThat(grid.nodes.get(1).view(1).size()).isZero();
    tx.write(a, "x");
    assertCommitted(tx.commitAndSettle());
  }

  @Test
  void aCopyKeepsItsWriterSoWhatWasReadOfItStaysValid() {
    assertCommitted(grid.put(1, b, "1"));
    Grid.Tx reader = grid.begin(0);
    reader.get(b);
    Grid.Tx mover = grid.begin(1);
    mover.get(b);
    mover.write(b, "1", mover.reads.get(0).seen().writer());
    assertCommitted(mover.commitAndSettle());
    reader.write(a, "x");
    assertCommitted(reader.commitAndSettle());
  }

  @Test
  void aReadOnlyTransactionThatIsValidatedSendsItsReads() {
    assertCommitted(grid.put(1, b, "1"));
    Grid.Tx tx = grid.begin(0);
    tx.get(b);
    assertCommitted(grid.put(1, b, "2"));
    tx.commitAndSettle();
    assertThat(tx.reason()).isEqualTo(AbortReason.STALE_READ);
  }

  @Test
  void withoutAFootprintNothingIsSent() {
    Grid.Tx tx = grid.begin(0);
    tx.get(b);
    tx.reads.clear();
    tx.commit();
    assertThat(grid.wire).isEmpty();
    assertCommitted(tx.outcome());
  }

  @Test
  void behindAWriterInOneShardAReaderWaitsAndValidates() {
    Grid slow = new Grid(3, 2, Fences.NONE);
    Grid.Tx writer = slow.begin(0);
    writer.write(slow.key(1, "b"), "1");
    writer.commit();
    slow.hold(m -> m.message() instanceof Decide);
    slow.settle();
    Grid.Tx reader = slow.begin(1);
    reader.get(slow.key(1, "b"));
    reader.write(slow.key(1, "c"), "x");
    reader.commit();
    assertThat(reader.hasEnded()).isFalse();
    slow.letGo();
    assertThat(reader.reason()).isEqualTo(AbortReason.STALE_READ);
    assertCommitted(writer.outcome());
  }

  @Test
  void behindAWriterInSeveralShardsAReaderIsRefusedAtOnce() {
    Grid.Tx writer = grid.begin(0);
    writer.label = "the writer";
    writer.write(a, "1");
    writer.write(b, "1");
    writer.commit();
    grid.hold(m -> m.message() instanceof Vote);
    grid.settle();
    Grid.Tx reader = grid.begin(1);
    reader.get(b);
    reader.write(grid.key(1, "c"), "x");
    reader.commit();
    assertThat(reader.reason()).isEqualTo(AbortReason.STALE_READ);
    assertThat(((Outcome.Aborted) reader.outcome()).otherLabel()).isEqualTo("the writer");
    grid.letGo();
    assertCommitted(writer.outcome());
  }

  @Test
  void aLockThatIsNotFreeInTimeRefusesAndThePrepareMayBeTriedAgain() {
    Grid.Tx reader = grid.begin(0);
    reader.get(b);
    reader.write(a, "x");
    reader.commit();
    grid.hold(m -> m.message() instanceof Vote);
    grid.settle();
    Grid.Tx writer = grid.begin(1);
    writer.write(b, "1");
    writer.commit();
    assertThat(writer.hasEnded()).isFalse();
    grid.timeOut();
    assertThat(writer.reason()).isEqualTo(AbortReason.LOCK_TIMEOUT);
    grid.letGo();
    assertCommitted(reader.outcome());
    assertCommitted(writer.commitAndSettle());
  }

  @Test
  void aPrepareThatComesTwiceGetsTheSameAnswer() {
    Grid.Tx tx = grid.begin(0);
    tx.write(b, "1");
    tx.write(a, "1");
    preparesTwice(tx);
  }

  @Test
  void whatWasDelegatedTwiceIsDecidedOnce() {
    Grid.Tx tx = grid.begin(0);
    tx.write(b, "1");
    preparesTwice(tx);
  }

  private void preparesTwice(Grid.Tx tx) {
    tx.commit();
    Grid.InFlight prepare = grid.wire.get(0);
    assertThat(prepare.message()).isInstanceOf(Prepare.class);
    grid.hand(prepare);
    grid.hand(prepare);
    assertThat(grid.wire.get(1)).isEqualTo(grid.wire.get(2));
    grid.settle();
    assertCommitted(tx.outcome());
    // Late, after the decision and after the mark: refused, and it leaves nothing behind.
    grid.hand(prepare);
    grid.settle();
    grid.tick();
    grid.settle();
    grid.hand(prepare);
    grid.settle();
    assertThat(grid.nodes.get(1).status().shards()).allMatch(ProtocolStatus.Shard::isIdle);
  }

  @Test
  void aDecisionThatComesTwiceIsOnlyAcknowledged() {
    Grid.Tx tx = grid.begin(0);
    tx.write(a, "1");
    tx.write(b, "1");
    tx.commit();
    grid.hold(m -> m.message() instanceof Decide);
    grid.settle();
    Grid.InFlight decide = grid.wire.get(0);
    grid.letGo();
    assertCommitted(grid.put(1, b, "2"));
    grid.hand(decide);
    grid.settle();
    assertThat(grid.begin(0).get(b)).isEqualTo("2");
    assertThat(grid.nodes.get(1).size(grid.kcl(1)).entries()).isEqualTo(1);
  }

  @Test
  void anAbortOfOneParticipantFreesTheOthers() {
    assertCommitted(grid.put(0, b, "1"));
    Grid.Tx tx = grid.begin(0);
    tx.get(b);
    tx.write(a, "x");
    assertCommitted(grid.put(1, b, "2"));
    tx.commitAndSettle();
    assertThat(tx.reason()).isEqualTo(AbortReason.STALE_READ);
    assertCommitted(grid.put(1, a, "y"));
    assertThat(grid.begin(0).get(a)).isEqualTo("y");
  }
}
