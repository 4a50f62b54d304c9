package io.canopygrid.btree.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.subtree.CommitRecords;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.node.StandaloneNode;
import io.canopygrid.wire.CommitId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records of commits are dropped when they are old by the time of the grid, and by no clock. */
final class CommitLedgerTest {
  private static final int SHARDS = 8;
  private static final UUID CLIENT = new UUID(3, 4);

  /** By these limits no name is too old. */
  private static final LedgerLimits LONG_AGO =
      new LedgerLimits(1L << 50, 1L << 50, 1L << 51, 60_000, 600_000, 500);

  private final GmuNode node =
      StandaloneNode.start(
          new ShardMap(SHARDS), NodeSettings.DEFAULT, BPlusTree.factory(), new SubtreeFences());
  private long millis = 1_000_000_000_000L;
  private long wall = 1_000_000_000_000L;
  private final MachineTime machine =
      new MachineTime(() -> wall, () -> TimeUnit.MILLISECONDS.toNanos(millis));
  private final GridTime time = new GridTime(node, machine, LedgerLimits.DEFAULT);
  private final CommitLedger ledger = new CommitLedger(node, time, LedgerLimits.DEFAULT);
  private final ExpiredCommits expired = new ExpiredCommits(node, time, LedgerLimits.DEFAULT);

  @AfterEach
  void stop() {
    node.close();
  }

  private CommitId name(int number) {
    return new CommitId(CLIENT, ledger.millis(), number, number % SHARDS);
  }

  /** Time goes by, minute by minute. */
  private void pass(long minutes) throws Exception {
    for (long i = 0; i < minutes; i++) {
      time.round();
      millis += TimeUnit.MINUTES.toMillis(1);
    }
    time.round();
  }

  private void commit(CommitId name, byte[] result) {
    Write record = ledger.record(name, result);
    GmuTransaction transaction =
        node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    try {
      Footprint footprint =
          new Footprint(
              List.of(new KeyRead(record.key(), Seen.ABSENT)), List.of(), List.of(record));
      assertThat(transaction.commit(footprint, "test")).isInstanceOf(Outcome.Committed.class);
    } finally {
      transaction.end();
    }
  }

  private CommitState stateOf(CommitId name) {
    return ledger.lookUp(name).state();
  }

  @Test
  void whatIsOldIsSweptAndWhatIsYoungStays() throws Exception {
    pass(0);
    CommitId old = name(1);
    commit(old, new byte[] {7});
    CommitId prevented = name(2);
    assertThat(stateOf(prevented)).isEqualTo(CommitState.NOT_COMMITTED);
    pass(90);
    CommitId young = name(3);
    commit(young, new byte[0]);
    expired.sweep();
    assertThat(stateOf(old)).as("90 minutes old").isEqualTo(CommitState.COMMITTED);
    assertThat(ledger.lookUp(old).result()).containsExactly(7);

    pass(31);
    expired.sweep();
    assertThat(stateOf(old)).as("121 minutes old").isEqualTo(CommitState.UNKNOWN);
    assertThat(stateOf(prevented)).isEqualTo(CommitState.UNKNOWN);
    assertThat(stateOf(young)).as("31 minutes old").isEqualTo(CommitState.COMMITTED);
  }

  @Test
  void manyPagesAreSwept() throws Exception {
    pass(0);
    long first = ledger.millis();
    for (int i = 0; i < 1_100; i++) {
      commit(new CommitId(CLIENT, first, i, 5), new byte[0]);
    }
    pass(180);
    expired.sweep();
    for (int i : new int[] {0, 500, 999, 1_000, 1_099}) {
      assertThat(stateOf(new CommitId(CLIENT, first, i, 5))).isEqualTo(CommitState.UNKNOWN);
    }
    assertThat(node.entries(CommitRecords.kclIn(node.shardMap(), 5))).isZero();
  }

  @Test
  void anOldNameIsNotTaken() throws Exception {
    pass(0);
    CommitId name = name(1);
    pass(11);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> ledger.record(name))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    assertThat(stateOf(name)).as("it may have been, and dropped").isEqualTo(CommitState.UNKNOWN);
  }

  @Test
  void wallClocksThatJumpChangeNothing() throws Exception {
    pass(5);
    CommitId name = name(1);
    commit(name, new byte[] {7});
    for (long jump : new long[] {2, -300, 24_000, -24_000}) {
      wall += TimeUnit.HOURS.toMillis(jump);
      pass(1);
      expired.sweep();
      assertThat(stateOf(name)).as("a jump of %d hours", jump).isEqualTo(CommitState.COMMITTED);
      commit(name(2 + (int) (jump & 0xFFFF)), new byte[0]);
    }
  }

  /** A machine that was suspended may find its monotonic clock far ahead. */
  @Test
  void aMonotonicClockThatJumpsIsNotBelieved() throws Exception {
    pass(1);
    CommitId name = name(1);
    commit(name, new byte[] {7});
    millis += TimeUnit.DAYS.toMillis(3);
    pass(0);
    expired.sweep();
    assertThat(stateOf(name)).isEqualTo(CommitState.COMMITTED);
    assertThat(ledger.millis()).isLessThan(name.millis() + TimeUnit.MINUTES.toMillis(5));
  }

  /** The node that looks up believes that it is three hours earlier than it is. */
  @Test
  void aNodeThatLagsNeitherPreventsNorRepeatsWhatWasSwept() throws Exception {
    pass(0);
    long then = millis;
    CommitId name = name(1);
    Write record = ledger.record(name);
    commit(name, new byte[] {7});
    GridTime lagging = new GridTime(node, new MachineTime(() -> wall, () -> then), LONG_AGO);
    CommitLedger late = new CommitLedger(node, lagging, LONG_AGO);
    assertThat(late.lookUp(name).state()).isEqualTo(CommitState.COMMITTED);
    pass(121);
    expired.sweep();
    assertThat(late.lookUp(name).state()).isEqualTo(CommitState.UNKNOWN);
    GmuTransaction again =
        node.begin(VectorClock.ZERO, System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    Footprint footprint =
        new Footprint(List.of(new KeyRead(record.key(), Seen.ABSENT)), List.of(), List.of(record));
    assertThat(again.commit(footprint, "again"))
        .isInstanceOfSatisfying(
            Outcome.Aborted.class,
            aborted -> assertThat(aborted.reason()).isEqualTo(Outcome.AbortReason.MOVED));
    again.end();
    CommitId young = name(1);
    commit(young, new byte[0]);
    assertThat(late.lookUp(young).state()).isEqualTo(CommitState.COMMITTED);
  }

  /** Two nodes that both believe to be in charge add what has passed once. */
  @Test
  void twoThatAdvanceAddNothingTwice() throws Exception {
    GridTime other = new GridTime(node, machine, LedgerLimits.DEFAULT);
    pass(0);
    long began = time.millis();
    long then = millis;
    for (int i = 0; i < 10; i++) {
      millis += TimeUnit.SECONDS.toMillis(61);
      time.round();
      other.round();
    }
    assertThat(time.millis()).isEqualTo(began + millis - then);
    assertThat(other.millis()).isEqualTo(time.millis());
    assertThat(new GridTime(node, machine, LedgerLimits.DEFAULT).millis())
        .as("a node that joins, whatever its clocks say")
        .isEqualTo(time.agreedMillis());
  }

  @Test
  void aNameOfTheFutureIsNotTaken() throws Exception {
    pass(0);
    CommitId name = new CommitId(CLIENT, ledger.millis() + TimeUnit.HOURS.toMillis(25), 1, 1);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> ledger.record(name))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    assertThat(stateOf(name)).isEqualTo(CommitState.UNKNOWN);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> ledger.lookUp(new CommitId(CLIENT, -1, 1, 1)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  /** The commit has happened; a node that ends while it looks must not say that it has not. */
  @Test
  void aLookUpAtANodeThatHasEndedSaysNothingOfTheCommit() throws Exception {
    pass(0);
    CommitId name = name(1);
    commit(name, new byte[0]);
    node.close();
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> ledger.lookUp(name))
        .satisfies(e -> {
          assertThat(e.code()).isEqualTo(ErrorCode.CANOPY_CLOSED);
          assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN);
          assertThat(e.retryable()).isFalse();
        });
  }

  /** The same commit may have come before, when its name was young. */
  @Test
  void aNameThatHasBecomeTooOldSaysNothingOfTheCommit() throws Exception {
    pass(0);
    CommitId name = name(1);
    commit(name, new byte[0]);
    pass(11);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> ledger.record(name))
        .satisfies(e -> assertThat(e.commitState()).isEqualTo(CommitState.UNKNOWN));
    assertThat(stateOf(name)).isEqualTo(CommitState.COMMITTED);
  }
}
